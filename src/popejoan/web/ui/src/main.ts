import { mount } from 'svelte';
import App from './App.svelte';
import { begin } from './lib/words.svelte';
import './style/theme.css';
import './style/card.css';
import './style/board.css';
import './style/table.css';
import './style/pages.css';
import './style/replay.css';

await begin();
mount(App, { target: document.getElementById('app')! });
