// What the page is made of, and on what terms: sent along with it.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const PARTS = [
  '@heruka_urgyen/react-playing-cards', '@fontsource/atkinson-hyperlegible',
  '@fontsource/im-fell-english', '@formatjs/fast-memoize', '@formatjs/icu-messageformat-parser',
  'intl-messageformat', 'pyodide', 'qrcode-generator', 'svelte',
];
const NAME = 'virtual:licences';
const CARDS = 'The cards themselves are by Adrian Kennard, in the public domain (CC0): https://www.me.uk/cards/';

/** Gives the module `virtual:licences`: the address of their texts. */
export function licences(): Plugin {
  let root = '';
  return {
    name: 'licences',
    configResolved: (config) => {
      root = config.root;
    },
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load(id) {
      if (id !== `\0${NAME}`) return null;
      const texts = PARTS.map((name) => {
        const folder = join(root, 'node_modules', name);
        const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
        const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt'].map((each) => join(folder, each)).find(existsSync);
        const text = file ? readFileSync(file, 'utf8') : '';
        return `${name} ${about.version}: ${about.license}\n\n${text.trim()}\n`;
      });
      const source = [CARDS, '', texts.join(`\n${'-'.repeat(72)}\n\n`)].join('\n');
      const made = this.emitFile({ type: 'asset', name: 'licences.txt', source });
      return `export default import.meta.ROLLUP_FILE_URL_${made}`;
    },
  };
}
