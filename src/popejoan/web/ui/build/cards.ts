// The faces of the cards: Adrian Kennard's English pattern, which he gave to the public domain
// (CC0, https://www.me.uk/cards/), as the package @heruka_urgyen/react-playing-cards brings it.
// Its colours are deepened here, so that every pip stands out from the paper by 7 to 1 or more.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const NAME = 'virtual:faces';
const INKS: Record<string, string> = {
  red: '#a30f1c', blue: '#163f9e', green: '#0b5a2a', black: '#16130f', white: '#fffdf6',
  '#44F': '#27387c', '#FC4': '#e2b33f',
};
const RANKS = 'A23456789TJQK';

/** Gives the module `virtual:faces`: for two colours and for four the address of each card. */
export function cards(): Plugin {
  const deck = dirname(
    createRequire(import.meta.url).resolve('@heruka_urgyen/react-playing-cards/package.json'),
  );

  function face(folder: string, card: string): string {
    const drawn = readFileSync(join(deck, 'src', 'images', folder, `${card}.svg`), 'utf8');
    return drawn
      .replace(/(fill|stroke)="([^"]*)"/g, (all, what, ink) => (INKS[ink] ? `${what}="${INKS[ink]}"` : all))
      .replace(/ (height="3.5in"|width="2.5in")/g, '')
      .replace('<svg ', '<svg width="240" height="336" ');
  }

  return {
    name: 'cards',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load(id) {
      if (id !== `\0${NAME}`) return null;
      const decks = { two: '2color', four: '4color' };
      const tables = Object.entries(decks).map(([colours, folder]) => {
        const rows = [...'CDHS'].flatMap((suit) =>
          [...RANKS]
            .map((rank) => rank + suit)
            .filter((card) => card !== '8D')
            .map((card) => {
              const source = face(folder, card);
              const made = this.emitFile({ type: 'asset', name: `${card}.svg`, source });
              return `'${card}': import.meta.ROLLUP_FILE_URL_${made}`;
            }),
        );
        return `${colours}: {${rows.join(',')}}`;
      });
      return `export default {${tables.join(',')}}`;
    },
  };
}
