import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { cards } from './build/cards.ts';
import { catalogues } from './build/catalogues.ts';
import { compress } from './build/compress.ts';
import { licences } from './build/licences.ts';
import { solo } from './build/solo.ts';

// Every address is relative, so that the page works under any path.
export default defineConfig({
  base: './',
  plugins: [catalogues(), svelte(), cards(), licences(), solo(), compress()],
  worker: {
    format: 'es',
    rolldownOptions: { output: { entryFileNames: 'assets/solo-worker-[hash].js' } },
  },
  build: {
    outDir: '../static',
    emptyOutDir: true,
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
