// What each seat gave and took in a deal, by what it was for.

import type { Transfer, View } from './types';

export const sources = ['dressing', 'board', 'game', 'cards', 'pope'] as const;
export type Source = (typeof sources)[number];
export type Row = { seat: number; had: number; parts: Record<Source, number>; has: number };

function sourceOf({ payer, reason }: Transfer): Source {
  if (reason === 'dressing' || reason === 'cards') return reason;
  if (reason.startsWith('pope-')) return 'pope';
  return payer === 'game' ? 'game' : 'board';
}

/** The sum of each seat: what it had, what came and went, and what it has. */
export function reckoned(view: View): Row[] {
  const rows = view.opening.purses.map((had, seat) => ({
    seat,
    had,
    parts: { dressing: 0, board: 0, game: 0, cards: 0, pope: 0 },
    has: had,
  }));
  const add = (transfer: Transfer) => {
    const source = sourceOf(transfer);
    for (const [who, counters] of [
      [transfer.payer, -transfer.counters],
      [transfer.payee, transfer.counters],
    ] as const) {
      if (typeof who !== 'number') continue;
      rows[who].parts[source] += counters;
      rows[who].has += counters;
    }
  };
  for (const event of view.events) {
    if (event.event === 'dressed') event.transfers!.forEach(add);
    if (event.event === 'paid') add(event.transfer!);
    if (event.event === 'claimed')
      add({ payer: event.compartment!, payee: event.seat!, counters: event.counters!, reason: 'stake' });
  }
  return rows;
}
