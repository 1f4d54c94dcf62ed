// What is on the table in short words: for the screen, and for whoever listens instead of looking.

import { WHEEL } from '../board/wheel';
import { cardName, placeName, sorted, suitName, whyStopped } from './fold';
import type { Room } from './room.svelte';
import { list, t } from './words.svelte';

/** The counters in each compartment now, as they are shown. */
export const stakesOf = (room: Room) =>
  room.look && room.table!.phase !== 'over' ? room.look.board : room.table!.board;

export const boardWords = (room: Room) => wordsOfBoard(stakesOf(room), room.look?.turned ?? null);

/** What lies in each compartment, and which card is turned up. */
export function wordsOfBoard(stakes: Record<string, number>, turned: string | null): string {
  const places = list(
    WHEEL.filter((place) => stakes[place] !== undefined).map((place) =>
      t('place.counters', { place: placeName(place), counters: stakes[place] }),
    ),
  );
  if (!turned) return t('board', { places });
  return t('board.turned', { places, card: cardName(turned), suit: suitName(turned) });
}

export function handWords(room: Room): string {
  if (room.seat === null) return t('hand.watching');
  const facts = room.view!.table;
  const cards = sorted([...facts.hand, ...room.look!.hidden]).map(cardName);
  if (!cards.length) return t('hand.empty');
  const may = room.yours ? t('hand.list-may', { cards: list(sorted(facts.legal).map(cardName)) }) : '';
  return `${t('hand.list', { count: cards.length, cards: list(cards) })} ${may}`;
}

export function runWords(room: Room): string {
  const run = room.look?.runs.at(-1);
  if (!run) return t('runs.dealt');
  const cards = run.cards.map(({ card, seat }) =>
    t('run.by', { card: cardName(card), name: room.seatName(seat) }),
  );
  return `${list(cards)}. ${run.stop ? t('runs.stops', { why: whyStopped(run.stop) }) : ''}`;
}

export function playersWords(room: Room): string {
  return room.table!.seats
    .map((_, seat) =>
      t('players.words', {
        name: room.seatName(seat),
        cards: room.look?.counts[seat] ?? 0,
        counters: room.look?.purses[seat] ?? 0,
      }),
    )
    .join(' ');
}

/** Whose play it is, and why. */
export function turnWords(room: Room): string {
  const table = room.table!;
  if (table.paused) return t('status.paused');
  if (table.phase === 'lobby') return '';
  if (table.phase === 'over') return t('status.over');
  if (table.phase === 'between') return table.deal ? '' : t('status.dealing');
  if (room.behind || !room.view || table.to_act === null) return '';
  if (room.yours) return `${t('status.yours')} ${whatMay(room)}`;
  const stop = room.look!.runs.at(-1)?.stop;
  const name = room.name(table.to_act);
  return stop
    ? t('status.leads-stopped', { name, card: cardName(stop.card!) })
    : t('status.leads-first', { name });
}

/** Which rule says what may be led: all of a hand, or only some of it, and why. */
export function whatMay(room: Room): string {
  const { hand, legal, stops } = room.view!.table;
  const lead = room.view!.rules.lead;
  if (legal.length === hand.length) return t('may.any');
  if (lead === 'lowest') return t('may.lowest');
  if (lead === 'lowest-in-hand') return t('may.lowest-in-hand');
  if (legal.some((card) => stops.includes(card))) return t('may.stop');
  if (legal.length === 1 && legal[0] === '9D') return t('may.pope');
  return t('may.longest');
}
