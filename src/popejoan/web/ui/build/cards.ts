// The faces of the cards: Adrian Kennard's English pattern, which he gave to the public domain
// (CC0, https://www.me.uk/cards/), as the package @heruka_urgyen/react-playing-cards brings it.
// Its colours are deepened here, so that every pip stands out from the paper by 7 to 1 or more.
// A court card is a hundred shapes and more, which a browser reads and draws one by one, and for that
// while moves nothing; so those are sent as pictures, large enough for the sharpest screens.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import type { Plugin } from 'vite';

const NAME = 'virtual:faces';
const INKS: Record<string, string> = {
  red: '#a30f1c', blue: '#163f9e', green: '#0b5a2a', black: '#16130f', white: '#fffdf6',
  '#44F': '#27387c', '#FC4': '#e2b33f',
};
const RANKS = 'A23456789TJQK';
/** How many times as large as in CSS a picture is. */
const FINE = 1.5;

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

  async function asset(card: string, drawn: string) {
    if (!'JQK'.includes(card[0])) return { name: `${card}.svg`, source: drawn };
    const picture = sharp(Buffer.from(drawn), { density: 72 * FINE });
    return { name: `${card}.webp`, source: await picture.webp({ quality: 80 }).toBuffer() };
  }

  return {
    name: 'cards',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    async load(id) {
      if (id !== `\0${NAME}`) return null;
      const decks = { two: '2color', four: '4color' };
      const tables: string[] = [];
      for (const [colours, folder] of Object.entries(decks)) {
        const rows: string[] = [];
        for (const card of [...'CDHS'].flatMap((suit) => [...RANKS].map((rank) => rank + suit))) {
          if (card === '8D') continue;
          const made = this.emitFile({ type: 'asset', ...(await asset(card, face(folder, card))) });
          rows.push(`'${card}': import.meta.ROLLUP_FILE_URL_${made}`);
        }
        tables.push(`${colours}: {${rows.join(',')}}`);
      }
      return `export default {${tables.join(',')}}`;
    },
  };
}
