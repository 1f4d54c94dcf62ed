// What a card would take from the board, were it played.

import type { GameEvent } from './types';

const OWN: Record<string, string> = { A: 'ace', K: 'king', Q: 'queen', J: 'knave' };
const PAIRS: Record<string, [string, string]> = { matrimony: ['K', 'Q'], intrigue: ['Q', 'J'] };

/** The compartments that a card earns, or helps to earn, with these trumps. */
export function earns(card: string, trump: string): string[] {
  if (card === '9D') return ['pope'];
  if (card[1] !== trump || !OWN[card[0]]) return [];
  const pairs = Object.keys(PAIRS).filter((pair) => PAIRS[pair].includes(card[0]));
  return [OWN[card[0]], ...pairs];
}

/** The cards that earn a compartment; none for Game, which is for whoever goes out. */
export function cardsFor(place: string, trump: string): string[] {
  if (place === 'pope') return ['9D'];
  if (PAIRS[place]) return PAIRS[place].map((rank) => rank + trump);
  const rank = Object.keys(OWN).find((each) => OWN[each] === place);
  return rank ? [rank + trump] : [];
}

/** The compartments that these events emptied. */
export function taken(events: GameEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.event === 'earned' || event.event === 'claimed') return [event.compartment!];
    if (event.event === 'paid' && typeof event.transfer!.payer === 'string') return [event.transfer!.payer];
    return [];
  });
}
