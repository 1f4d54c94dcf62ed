import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { cards } from './build/cards.ts';
import { catalogues } from './build/catalogues.ts';
import { compress } from './build/compress.ts';
import { eager } from './build/eager.ts';
import { licences } from './build/licences.ts';
import { solo } from './build/solo.ts';

// Every address is relative, so that the page works under any path.
export default defineConfig({
  base: './',
  plugins: [catalogues(), svelte(), cards(), licences(), solo(), eager(), compress()],
  // The messages are read when the page is built: no browser needs what reads them.
  resolve: { alias: { '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/no-parser.js' } },
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
    // All that the entrance needs is one file, as each file is a wait; the rest comes after it.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
  },
});
