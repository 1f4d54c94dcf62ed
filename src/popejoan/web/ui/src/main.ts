import { mount } from 'svelte';
import App from './App.svelte';
import { begin } from './lib/words.svelte';
import './page.css';

await begin();
mount(App, { target: document.getElementById('app')! });
