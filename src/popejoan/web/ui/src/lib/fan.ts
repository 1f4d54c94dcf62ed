// How a hand is held: every card seen and within reach, whatever the hand and the screen.

export type Held = { x: number; y: number; turn: number };
export type Fan = { width: number; height: number; cards: Held[] };

/** The narrowest strip of a card that a finger hits, in CSS pixels. */
export const REACH = 44;
/** The height of a card to its width. */
export const SHAPE = 1.4;

/** Places for so many cards in a room so wide; `most` is the widest that a card may be.
    On a low screen the hand is held partly below its edge. */
export function fan(count: number, room: number, most: number, low: boolean): Fan {
  if (!count || room < REACH * 2) return { width: REACH, height: 0, cards: [] };
  const [width, rows] = fitted(count, room, most);
  const side = margin(rows);
  room -= 2 * side;
  const per = Math.ceil(count / rows);
  const down = Math.max(REACH, Math.min(width * (low ? 0.7 : 0.86), 62));
  const bend = rows === 1 ? 1 : 0.35;
  const cards: Held[] = [];
  const short = per * rows - count;
  for (let row = 0; row < rows; row++) {
    const many = per - (row < short ? 1 : 0);
    const step = many > 1 ? Math.min(Math.max(REACH, width * 0.74), (room - width) / (many - 1)) : 0;
    const left = (room - width - step * (many - 1)) / 2;
    for (let n = 0; n < many; n++) {
      const off = many > 1 ? (2 * n) / (many - 1) - 1 : 0;
      const wide = Math.min(1, many / 7) * bend;
      cards.push({
        x: side + left + n * step,
        y: row * down + off * off * 9 * wide,
        turn: off * 6 * wide,
      });
    }
  }
  return { width, height: (rows - 1) * down + width * SHAPE * (low ? 0.74 : 1) + 16 * bend, cards };
}

/** What the turned cards at the ends need beside them. */
const margin = (rows: number) => (rows === 1 ? 13 : 4);

/** The widest card, in as few rows as leave each a strip that can be hit. */
function fitted(count: number, room: number, most: number): [number, number] {
  for (let rows = 1; ; rows++) {
    const per = Math.ceil(count / rows);
    const free = room - 2 * margin(rows) - REACH * (per - 1);
    const widest = Math.min(most * (rows > 2 ? 0.82 : rows > 1 ? 0.92 : 1), free);
    if (widest >= REACH || per === 1) return [Math.max(REACH, Math.round(widest)), rows];
  }
}
