import { letters } from './lib/early';
import { mount } from 'svelte';
import App from './App.svelte';
import { whenIdle } from './lib/later';
import { begin } from './lib/words.svelte';
import { keepPage } from './solo/solo';
import './style/theme.css';
import './style/card.css';
import './style/board.css';
import './style/table.css';
import './style/pages.css';
import './style/replay.css';

await Promise.all([begin(), letters]);
mount(App, { target: document.getElementById('app')! });
// Whatever can be kept is kept once all is shown.
whenIdle(() => void keepPage().catch(() => undefined));
