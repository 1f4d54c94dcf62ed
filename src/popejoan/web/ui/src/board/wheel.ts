// Where things lie on the board, in a square of 400 with the pillar at 200, 200.

/** The wells clockwise from the top; a pair lies between the two cards that make it. */
export const WHEEL = ['pope', 'game', 'ace', 'knave', 'intrigue', 'queen', 'matrimony', 'king'];

export const RIM = 198;
export const RING = 162;
const OUTER = 156;
const INNER = 68;

/** A well with its middle at the top: eight of them, turned, fill the tray. */
export function wellPath(inset = 0): string {
  const outer = OUTER - inset;
  const inner = INNER + inset;
  const gap = 5 + inset;
  const at = (radius: number, side: number) => {
    const turn = side * (Math.PI / 8 - gap / radius);
    return `${(200 + radius * Math.sin(turn)).toFixed(2)} ${(200 - radius * Math.cos(turn)).toFixed(2)}`;
  };
  return `M${at(inner, -1)}L${at(outer, -1)}A${outer} ${outer} 0 0 1 ${at(outer, 1)}L${at(inner, 1)}A${inner} ${inner} 0 0 0 ${at(inner, -1)}Z`;
}

/** The line a name on the rim is written along; below the middle it is written the other way. */
export function namePath(radius: number, below: boolean): string {
  const half = Math.PI / 7;
  const x = radius * Math.sin(half);
  const y = 200 - radius * Math.cos(half);
  return below
    ? `M${200 + x} ${y}A${radius} ${radius} 0 0 0 ${200 - x} ${y}`
    : `M${200 - x} ${y}A${radius} ${radius} 0 0 1 ${200 + x} ${y}`;
}

/** How so many fish lie in a well about its number: across, outward and turned. */
export function lying(count: number): [number, number, number][] {
  const laid: [number, number, number][] = [
    [-27, 4, 74], [27, 5, -76], [-25, -17, 58], [26, -18, -60], [-34, -8, 84], [35, -9, -82],
    [-14, -28, 24], [15, -29, -22], [-37, -27, 66], [38, -26, -64], [0, -37, 4], [-29, -37, 36],
  ];
  return laid.slice(0, Math.min(count, laid.length));
}

/** The turn of the board that brings a well to the top, the short way round from `now`. */
export function turnTo(place: string, now: number): number {
  const wanted = -45 * WHEEL.indexOf(place);
  const step = ((((wanted - now) % 360) + 540) % 360) - 180;
  return now + step;
}

/** Where a board that was turned by hand comes to rest: a well at the top. */
export const settled = (turn: number) => 45 * Math.round(turn / 45);
