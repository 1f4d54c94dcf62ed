import { mount } from 'svelte';
import App from './App.svelte';
import { begin } from './lib/words.svelte';
import './style/theme.css';
import './style/card.css';
import './style/board.css';
import './style/table.css';
import './style/pages.css';
import './style/replay.css';

/** The letters, if they come soon: the page is shown once, and does not jump when they come late. */
const letters = Promise.all(
  ['16px "Atkinson Hyperlegible"', '700 16px "Atkinson Hyperlegible"', '16px "IM Fell English"'].map(
    (font) => document.fonts.load(font),
  ),
).catch(() => undefined);
const soon = new Promise((done) => setTimeout(done, 400));

await Promise.all([begin(), Promise.race([letters, soon])]);
// Whatever can be kept is kept once all is shown.
function keepPage(): void {
  if ('serviceWorker' in navigator && isSecureContext)
    void navigator.serviceWorker.register('sw.js').catch(() => undefined);
}
if (document.readyState === 'complete') keepPage();
else addEventListener('load', keepPage);

mount(App, { target: document.getElementById('app')! });
