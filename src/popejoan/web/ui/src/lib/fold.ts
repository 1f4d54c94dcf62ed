// What the table looks like after so many events of the deal: for watching a run card by card.

import type { GameEvent, Transfer, View } from './types';
import { t, type Key } from './words.svelte';

export type Run = { cards: { card: string; seat: number }[]; stop: GameEvent | null };
export type Folded = {
  purses: number[];
  board: Record<string, number>;
  counts: number[];
  runs: Run[];
  /** The reader's own cards that are played, but not shown to be. */
  hidden: string[];
  /** What the last card shown has brought, itself included; the dressing, before the first. */
  recent: GameEvent[];
  turned: string | null;
};

export function folded(view: View, shown: number): Folded {
  const purses = [...view.opening.purses];
  const board = { ...view.opening.board };
  const counts = [...view.table.sizes];
  const runs: Run[] = [];
  let recent: GameEvent[] = [];
  let turned: string | null = null;
  const pay = (transfer: Transfer) => {
    if (typeof transfer.payer === 'number') purses[transfer.payer] -= transfer.counters;
    else board[transfer.payer] -= transfer.counters;
    if (typeof transfer.payee === 'number') purses[transfer.payee] += transfer.counters;
    else board[transfer.payee] += transfer.counters;
  };
  for (const event of view.events.slice(0, shown)) {
    if (event.event === 'led' || event.event === 'followed') recent = [];
    recent.push(event);
    if (event.event === 'turned-up') turned = event.card!;
    if (event.event === 'led') runs.push({ cards: [], stop: null });
    if (event.event === 'led' || event.event === 'followed') {
      runs.at(-1)!.cards.push({ card: event.card!, seat: event.seat! });
      counts[event.seat!] -= 1;
    }
    if (event.event === 'stopped') runs.at(-1)!.stop = event;
    if (event.event === 'dressed') event.transfers!.forEach(pay);
    if (event.event === 'paid') pay(event.transfer!);
    if (event.event === 'claimed') {
      board[event.compartment!] -= event.counters!;
      purses[event.seat!] += event.counters!;
    }
  }
  const hidden = view.events
    .slice(shown)
    .filter(({ event, seat }) => seat === view.seat && (event === 'led' || event === 'followed'))
    .map(({ card }) => card!);
  return { purses, board, counts, runs, hidden, recent, turned };
}

const PIPS: Record<string, string> = { C: '♣', D: '♦', H: '♥', S: '♠' };

/** `9D` as `nine of diamonds, Pope` */
export function cardName(card: string): string {
  const name = t('card', { rank: t(`rank.${card[0]}` as Key), suit: suitName(card) });
  return card === '9D' ? t('card.pope', { card: name }) : name;
}
export const suitName = (card: string) => t(`suit.${card.at(-1)!}` as Key);
export const rankText = (card: string) => (card[0] === 'T' ? '10' : card[0]);
export const pip = (card: string) => PIPS[card.at(-1)!];
export const cardText = (card: string) => rankText(card) + pip(card);
export const placeName = (place: string) => t(`place.${place}` as Key);

export const HEIGHT = 'A23456789TJQK';
/** In the hand: suits with colours apart, from low to high. */
export function sorted(cards: string[]): string[] {
  const suits = 'CDSH';
  return [...cards].sort(
    (one, other) =>
      suits.indexOf(one[1]) - suits.indexOf(other[1]) || HEIGHT.indexOf(one[0]) - HEIGHT.indexOf(other[0]),
  );
}

/** Why nothing follows this stop, as the table saw it. */
export function whyStopped(stop: GameEvent): string {
  const card = stop.card!;
  const next = HEIGHT[(HEIGHT.indexOf(card[0]) + 1) % 13] + card[1];
  return t(`stop.${stop.stop}` as Key, { card: cardText(card), next: cardText(next) });
}
