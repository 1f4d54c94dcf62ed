// The painted tray that is the same at every turn: lacquered rim, red partitions, a flower in each
// well, a lid. Painted as text, which a browser reads quicker than it makes the strokes one by one.

import { FLOWERS } from './flowers';
import { RIM, RING, WHEEL, namePath, wellPath } from './wheel';

const ring = (radius: number, more: string) => `<circle cx="200" cy="200" r="${radius}" ${more}/>`;
const gilt = (radius: number, fine = false) => ring(radius, `class="gilt${fine ? ' fine' : ''}"`);
const shades = (name: string, ends: number[]) =>
  ends.map((at, n) => `<stop offset="${at}" class="${name}-${'abc'[n]}"/>`).join('');

/** What lies below the wells. */
export const UNDER =
  `<defs><radialGradient id="rim-shine" cx=".36" cy=".3" r=".85">${shades('rim', [0, 0.55, 1])}</radialGradient>` +
  `<radialGradient id="well-deep" gradientUnits="userSpaceOnUse" cx="200" cy="92" r="74">${shades('deep', [0, 0.7, 1])}</radialGradient>` +
  `<radialGradient id="lid-shine" cx=".38" cy=".32" r=".8">${shades('lid', [0, 0.6, 1])}</radialGradient>` +
  '<linearGradient id="gilt" x2="0" y2="1"><stop offset="0" stop-color="#fbe7a6"/>' +
  '<stop offset=".45" stop-color="#d9ae48"/><stop offset="1" stop-color="#9b6d17"/></linearGradient>' +
  `<path id="name-over" d="${namePath(173.5, false)}"/><path id="name-under" d="${namePath(186.5, true)}"/></defs>` +
  ring(RIM, 'fill="url(#rim-shine)"') + gilt(RIM - 2.5) + gilt(RIM - 6, true) +
  ring(RING, 'class="partitions"') + gilt(RING);

/** The lid in the middle, over everything. */
export const OVER =
  ring(66, 'class="pot"') + ring(60, 'fill="url(#lid-shine)"') + gilt(60) + gilt(54, true) +
  WHEEL.map(
    (_, n) =>
      `<g class="lid-leaf" transform="rotate(${45 * n + 22.5} 200 200) translate(200 150)">` +
      '<path d="M0-2C5 2 5 10 0 16-5 10-5 2 0-2Z"/></g>',
  ).join('') +
  gilt(32, true) + ring(9, 'fill="url(#gilt)"');

/** One well with its middle at the top, and the leaf that follows it on the rim. */
export const WELL =
  `<path class="well-floor" d="${wellPath()}"/><path class="well-line" d="${wellPath(5)}"/>` +
  '<g class="rim-leaf" transform="rotate(22.5 200 200) translate(200 20.5)">' +
  '<path d="M0-8L5 0 0 8-5 0Z"/><circle cx="-11" r="2"/><circle cx="11" r="2"/></g>';

/** The flower of each well, clockwise from the top. */
export const BLOOMS = FLOWERS.map((flower) => `<g transform="translate(200 66) scale(.96)">${flower}</g>`);

/** Whether a name is written the other way, so that it does not stand on its head. */
export function below(n: number, turn: number): boolean {
  const at = (((45 * n + turn) % 360) + 360) % 360;
  return at > 100 && at < 260;
}

/** The whole tray as it stands at rest, with the names of its wells. */
export function emblem(names: string[]): string {
  const wells = names.map((name, n) => {
    const words = name.replace(/&/g, '&amp;').replace(/</g, '&lt;');
    const way = below(n, 0) ? '#name-under' : '#name-over';
    return (
      `<g transform="rotate(${45 * n} 200 200)">${WELL}${BLOOMS[n]}` +
      `<text class="rim-name"><textPath href="${way}" startOffset="50%">${words}</textPath></text></g>`
    );
  });
  return UNDER + wells.join('') + OVER;
}
