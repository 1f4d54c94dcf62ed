// Flowers as the japanners painted them: brush strokes on a dark ground, the stem in gold.
// Each is painted once, as text that a browser reads quicker than it makes the strokes one by one.

type Kind = 'rose' | 'tulip' | 'daisy' | 'pink' | 'bell' | 'auricula' | 'lily' | 'poppy';

const INK: Record<Kind, [string, string, string]> = {
  rose: ['#c63a3f', '#ef8d84', '#f6dcae'], tulip: ['#d9772b', '#f6b95c', '#7d2a17'],
  daisy: ['#f1e7cf', '#fffaf0', '#e3ac2f'], pink: ['#d977a0', '#f7c3d4', '#7b1f44'],
  bell: ['#5b86c5', '#a8c6ee', '#f2e3b0'], auricula: ['#8a4aa0', '#c79ad8', '#f5e6a4'],
  lily: ['#f3ead7', '#ffffff', '#d99a2b'], poppy: ['#b3202a', '#e2605a', '#20130d'],
};
const WIDE = 'M0 1C-11-3-12-15-6-19-3-21 3-21 6-19 12-15 11-3 0 1Z';
const THIN = 'M0 0C-4-5-4-15 0-20 4-15 4-5 0 0Z';
const LONG = 'M0 2C-8-4-8-15 0-25 8-15 8-4 0 2Z';
const LEAF = 'M0 0C5-9 15-12 26-9 21 0 11 4 0 0Z';
const BELL = 'M0-12C9-11 7 0 12 8 7 5 4 10 0 7-4 10-7 5-12 8-7 0-9-11 0-12Z';

const stroke = (path: string, ink: string, how = '') =>
  `<path d="${path}" fill="${ink}"${how && ` transform="${how}"`}/>`;
const dot = (ink: string, radius: number, more = '') => `<circle r="${radius}" fill="${ink}" ${more}/>`;
/** So many strokes about the middle. */
const ring = (path: string, ink: string, many: number, { from = 0, then = '' } = {}) =>
  Array.from({ length: many }, (_, n) => stroke(path, ink, `rotate(${from + (360 / many) * n})${then}`)).join('');

const GREEN =
  '<path class="stem" d="M0 4C-3 14-1 22 3 31M0 12C-9 14-14 20-15 27M1 18C9 18 14 22 17 29"/>' +
  [[-1, -2, 14], [1, 2, 16], [-1, 1, 24]]
    .map(([side, x, y]) => `<path class="leaf" d="${LEAF}" transform="translate(${x} ${y}) scale(${side * 0.62} .62) rotate(18)"/>`)
    .join('');

function blossom(kind: Kind): string {
  const [dark, light, heart] = INK[kind];
  switch (kind) {
    case 'tulip':
    case 'lily':
      return (
        [-34, 34, 0]
          .map(
            (turn) =>
              stroke(LONG, dark, `translate(0 5) rotate(${turn})`) +
              stroke(THIN, light, `translate(0 2) rotate(${turn}) scale(.62 .86)`),
          )
          .join('') + stroke('M-5 5C-2-3 2-3 5 5 2 8-2 8-5 5Z', heart)
      );
    case 'bell':
      return [[-12, -2, -34], [12, -3, 34], [0, -9, 0]]
        .map(
          ([x, y, turn]) =>
            `<g transform="translate(${x} ${y}) rotate(${turn}) scale(.82)">` +
            stroke(BELL, dark) + stroke('M-1-10C4-8 2 0 2 5-2 4-4-6-1-10Z', light) +
            `${dot(heart, 2, 'cy="9"')}</g>`,
        )
        .join('');
    case 'daisy':
      return (
        ring(THIN, dark, 13) + ring(THIN, light, 13, { from: 14, then: ' scale(.66 .72)' }) +
        dot(heart, 5) + dot('#f6d98a', 2.4, 'cx="-1" cy="-1"')
      );
    default: {
      const between = kind === 'auricula' || kind === 'pink' ? 0 : 36;
      const inner = kind === 'poppy' ? ' scale(.5 .9)' : ' scale(.62 .66)';
      return (
        ring(WIDE, dark, 5) + ring(WIDE, light, 5, { from: between, then: inner }) +
        (kind === 'rose' ? ring(WIDE, dark, 4, { then: ' scale(.36 .4)' }) : '') +
        dot(heart, kind === 'poppy' ? 5 : 3.6)
      );
    }
  }
}

/** The flowers of the eight wells, clockwise from the top, as SVG. */
export const FLOWERS = (['rose', 'daisy', 'tulip', 'bell', 'pink', 'lily', 'auricula', 'poppy'] as const).map(
  (kind) => `<g class="flower">${GREEN}${blossom(kind)}</g>`,
);
