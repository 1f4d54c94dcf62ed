// Why a lead is good, in words made from what the seat knows and nothing else.

import { earns } from './earning';
import { HEIGHT, cardName, cardText, placeName } from './fold';
import type { Advice, Room } from './room.svelte';
import type { View } from './types';
import { list, spoken, t } from './words.svelte';

/** The next card up in its suit by these rules; null above the last. */
export function nextUp(card: string, view: View): string | null {
  const at = HEIGHT.indexOf(card[0]) + 1;
  if (view.rules.ace === 'high') return card[0] === 'A' ? null : HEIGHT[at % 13] + card[1];
  return at < 13 ? HEIGHT[at] + card[1] : null;
}

/** Why nothing can follow a card, as far as the seat knows. */
function whyStop(card: string, room: Room): string {
  const next = nextUp(card, room.view!);
  const words = { card: cardText(card), next: next ? cardText(next) : '' };
  if (next === null) return t('stop.end', words);
  if (next === '8D') return t('stop.removed', words);
  if (next === room.view!.table.turn_up) return t('stop.turn-up', words);
  const played = room.look!.runs.some((run) => run.cards.some((each) => each.card === next));
  return played ? t('stop.played', words) : t('stop.stock', words);
}

/** The own cards that are sure to go with a lead, and what may follow from another hand. */
function goes(lead: string, view: View): { own: string[]; rest: string | null } {
  const own = [lead];
  for (;;) {
    const next = nextUp(own.at(-1)!, view);
    if (next === null || next === '8D' || view.table.dead.includes(next)) return { own, rest: null };
    if (!view.table.hand.includes(next)) return { own, rest: next };
    own.push(next);
  }
}

/** What speaks for a lead: whether it keeps the lead, what it takes, whether it goes out. */
export function reasons(lead: string, room: Room): string[] {
  const view = room.view!;
  const { own, rest } = goes(lead, view);
  const said: string[] = [];
  if (rest === null && own.length === view.table.hand.length) said.push(t('hint.out'));
  else if (rest === null) {
    const last = own.at(-1)!;
    if (own.length > 1) said.push(t('hint.along', { cards: list(own.slice(1).map(cardName), 'conjunction') }));
    said.push(t('hint.stop', { card: cardName(last), why: whyStop(last, room) }));
  } else said.push(t('hint.follows', { card: cardName(rest) }));
  const places = own.flatMap((card) => earns(card, view.table.trump)).filter((place) => view.table.board[place] > 0);
  const sure = places.filter((place) => !['matrimony', 'intrigue'].includes(place));
  if (sure.length) said.push(t('hint.takes', { places: list(sure.map(placeName), 'conjunction') }));
  if (lead === '9D') said.push(t('hint.pope'));
  return said;
}

const gained = (counters: number) =>
  new Intl.NumberFormat(spoken(), { maximumFractionDigits: 1 }).format(counters);

export function adviceWords(advice: Advice, room: Room): string {
  const card = cardName(advice.lead);
  const head = !advice.runner_up
    ? t('hint.only', { card })
    : advice.sure
      ? t('hint.lead', { card, other: cardName(advice.runner_up), gain: gained(advice.gain) })
      : t('hint.even', { card, other: cardName(advice.runner_up) });
  return [head, ...reasons(advice.lead, room)].join(' ');
}
