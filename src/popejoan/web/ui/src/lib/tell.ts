// What happened, told in the language that is spoken: the page's half of popejoan.sentences.

import { cardName, cardText, placeName, suitName, whyStopped } from './fold';
import type { GameEvent, Told, Transfer } from './types';
import { list, t, type Key } from './words.svelte';

/** Who is spoken of: how a seat is called, and whether it is the reader's own. */
export type Naming = { name: (seat: number) => string; you: number | null };

const RIGHT_TO_LEFT = /[\u0590-\u08ff]/;
/** A name that may run from right to left, held together. */
const whole = (name: string) => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);
const places = (stakes: Record<string, number>) =>
  list(
    Object.entries(stakes).map(([place, counters]) =>
      t('place.counters', { place: placeName(place), counters }),
    ),
  );

export function tellEvent(event: GameEvent, naming: Naming): string {
  const who = (seat: number) => ({
    name: whole(naming.name(seat)),
    you: seat === naming.you ? 'yes' : 'no',
  });
  const seat = event.seat ?? 0;
  switch (event.event) {
    case 'dressed':
      return dressed(event.transfers!, who);
    case 'dealt':
      return dealt(event, who);
    case 'turned-up':
      return t('event.turned-up', { card: cardText(event.card!), suit: suitName(event.card!) });
    case 'led':
    case 'followed':
      return t(`event.${event.event}`, { ...who(seat), card: cardText(event.card!) });
    case 'stopped':
      return t('event.stopped', {
        ...who(seat),
        card: cardText(event.card!),
        why: event.stop === 'end' ? t('event.stopped.end') : whyStopped(event),
      });
    case 'earned':
    case 'claimed':
      return t(`event.${event.event}`, {
        ...who(seat),
        place: placeName(event.compartment!),
        counters: event.counters!,
      });
    case 'switched':
      return t(event.on ? 'event.switched-on' : 'event.switched-off', who(seat));
    case 'paid':
      return paid(event.transfer!, who);
    case 'excused':
      return t('event.excused', { ...who(seat), cards: event.cards as number });
    case 'went-out':
      return t('event.went-out', who(seat));
    case 'round-over':
      return t('event.round-over', who(event.winner!));
    case 'divided':
      return divided(event, who);
    default:
      return '';
  }
}

type Who = (seat: number) => { name: string; you: string };

function dressed(transfers: Transfer[], who: Who): string {
  const gifts = new Map<number, number>();
  const stakes: Record<string, number> = {};
  for (const { payer, payee, counters } of transfers) {
    gifts.set(payer as number, (gifts.get(payer as number) ?? 0) + counters);
    stakes[payee] = (stakes[payee] ?? 0) + counters;
  }
  if (gifts.size === 1) {
    const [[seat, counters]] = gifts;
    return t('event.dressed-by-one', { ...who(seat), counters, places: places(stakes) });
  }
  const names = [...gifts].map(([seat, counters]) =>
    t('place.counters', { place: who(seat).name, counters }),
  );
  return t('event.dressed', { places: places(stakes), names: list(names) });
}

function dealt(event: GameEvent, who: Who): string {
  const sizes = event.sizes as number[];
  const hands = sizes.filter(Boolean);
  const values = { ...who(event.dealer as number), stock: event.stock as unknown as number };
  if (new Set(hands).size > 1)
    return t('event.dealt-unequal', { ...values, sizes: list(hands.map(String)) });
  const key: Key = hands.length === sizes.length ? 'event.dealt' : 'event.dealt-others';
  return t(key, { ...values, each: hands[0] });
}

function paid({ payer, payee, counters, reason }: Transfer, who: Who): string {
  const why = t(`event.why.${reason}` as Key);
  if (typeof payer === 'string')
    return t('event.takes', { ...who(payee as number), place: placeName(payer), counters, why });
  if (typeof payee === 'string')
    return t('event.lays', { ...who(payer), place: placeName(payee), counters, why });
  const { name: to, you: toYou } = who(payee);
  return t('event.pays', { ...who(payer), to, toYou, counters, why });
}

function divided(event: GameEvent, who: Who): string {
  const takes = event.transfers!.map(({ payer, payee, counters }) =>
    t('event.divided.takes', {
      ...who(payee as number), counters, place: placeName(payer as string),
    }),
  );
  const hands = event.hands as string[][];
  return t('event.divided', { cards: hands.flat().length, takes: list(takes) });
}

/** Anything that the server tells; the seats of events are those of the deal told of last. */
export function tell(told: Told, name: (person: number) => string, naming: Naming): string {
  if (told.what === 'event') return tellEvent(told.event!, naming);
  if (told.what === 'division')
    return tellEvent(told.event!, {
      name: (seat) => name(told.seats![seat]),
      you: null,
    });
  const values: Record<string, string | number> = { rules: told.rules ?? '', bot: told.bot ?? '' };
  if (told.person !== undefined) values.name = whole(name(told.person));
  if (told.by !== undefined) values.by = whole(name(told.by));
  if (told.card !== undefined) values.card = cardName(told.card);
  if (told.deal !== undefined) values.deal = told.deal;
  return t(`told.${told.what}` as Key, values);
}
