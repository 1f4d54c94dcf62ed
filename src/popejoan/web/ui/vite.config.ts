import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// Every address is relative, so that the page works under any path.
export default defineConfig({
  base: './',
  plugins: [svelte()],
  build: {
    outDir: '../static',
    emptyOutDir: true,
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
