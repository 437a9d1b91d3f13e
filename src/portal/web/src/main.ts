// The door of the page: its faces of type, its look, the page itself.
import '@fontsource-variable/geist-mono/wght.css';
import '@fontsource-variable/instrument-sans/wght.css';
import { mount } from 'svelte';
import './tokens.css';
import './app.css';
import App from './App.svelte';
import { isComposed } from './lib/keys.ts';

// Before anything else hears a key: none does while a word is composed.
addEventListener('keydown', (event) => { if (isComposed(event)) event.stopImmediatePropagation(); }, true);

const target = document.getElementById('app');
if (target) mount(App, { target });
