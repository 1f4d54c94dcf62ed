// Where things fly from and to: a card from a hand or a player, counters between purses and wells.

import { tastes } from './tastes.svelte';

/** Where a card lies in the hand of a seat: its middle from the left and from below, its height, in pixels; its turn in degrees. */
type Place = { hand: Element; seat: number; x: number; up: number; height: number; turn: number };
const places = new Map<string, Place>();

/** Remember where a card of the hand lies, so that it can fly from there when it is gone. Nothing is
 * measured: that would lay the page out once more for every card that is played. */
export const remember = (card: string, place: Place) => places.set(card, place);
export const forget = () => places.clear();

type Start = { x: number; y: number; height: number; turn: number };

/** Where a card starts from: its place in the hand of whoever plays it, or else them. */
function start(card: string, seat: number): Start | null {
  const place = places.get(card);
  places.delete(card);
  if (place?.seat === seat && place.hand.isConnected) {
    const { left, bottom } = place.hand.getBoundingClientRect();
    return { ...place, x: left + place.x, y: bottom - place.up };
  }
  const box = seatAt(seat);
  return box && { x: box.left + box.width / 2, y: box.top + box.height / 2, height: box.height, turn: 8 };
}

function middle(of: Element | null): DOMRect | null {
  const rect = of?.getBoundingClientRect();
  return rect?.width ? rect : null;
}

export const seatAt = (seat: number) => middle(document.querySelector(`[data-seat="${seat}"]`));
export const wellAt = (place: string) => middle(document.querySelector(`[data-place="${place}"]`));
export const partyAt = (who: number | string) => (typeof who === 'number' ? seatAt(who) : wellAt(who));

/** A card flies to its run, from the hand it was in. */
export function flown(node: HTMLElement, { card, seat }: { card: string; seat: number }): void {
  const from = start(card, seat);
  if (tastes.still || !from) return;
  const to = node.getBoundingClientRect();
  const x = from.x - to.left - to.width / 2;
  const y = from.y - to.top - to.height / 2;
  const grown = Math.min(1.4, Math.max(0.3, from.height / Math.max(1, to.height)));
  node.classList.add('flying');
  const landed = () => node.classList.remove('flying');
  // Nothing but what a browser moves without laying out or painting.
  node
    .animate(
      [
        { transform: `translate(${x}px, ${y}px) rotate(${from.turn}deg) scale(${grown})`, opacity: 0.3 },
        { opacity: 1, offset: 0.35 },
        { transform: 'none', opacity: 1 },
      ],
      { duration: Math.min(420, 220 + Math.hypot(x, y) / 5), easing: 'cubic-bezier(.2,.6,.35,1)' },
    )
    .finished.then(landed, landed);
}

/** Counters swim from one to the other over the page, a few for many. */
export function swim(layer: Element, payer: number | string, payee: number | string, counters: number, late = 0) {
  const from = partyAt(payer);
  const to = partyAt(payee);
  if (tastes.still || !from || !to || document.hidden) return;
  const many = Math.min(6, counters);
  for (let n = 0; n < many; n++) {
    const fish = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    fish.setAttribute('viewBox', '-16 -7 32 14');
    fish.classList.add('swimmer');
    const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
    for (const [name, value] of Object.entries({ href: '#fish', x: -16, y: -7, width: 32, height: 14 }))
      use.setAttribute(name, String(value));
    fish.append(use);
    layer.append(fish);
    const at = (rect: DOMRect, spread: number) => [
      rect.left + rect.width / 2 + (n - many / 2) * spread,
      rect.top + rect.height / 2 + ((n * 7) % 5) * spread * 0.4,
    ];
    const [x0, y0] = at(from, 5);
    const [x1, y1] = at(to, 2);
    const lift = Math.min(90, 30 + Math.hypot(x1 - x0, y1 - y0) / 5);
    const heading = (Math.atan2(y0 - y1, x0 - x1) * 180) / Math.PI;
    fish
      .animate(
        [
          { transform: `translate(${x0}px, ${y0}px) rotate(${heading}deg) scale(.7)`, opacity: 0 },
          { opacity: 1, offset: 0.15 },
          { transform: `translate(${(x0 + x1) / 2}px, ${(y0 + y1) / 2 - lift}px) rotate(${heading + 12}deg) scale(1.15)`, offset: 0.5 },
          { opacity: 1, offset: 0.9 },
          { transform: `translate(${x1}px, ${y1}px) rotate(${heading}deg) scale(.7)`, opacity: 0 },
        ],
        { duration: 620, delay: late + n * 55, easing: 'cubic-bezier(.4,0,.3,1)', fill: 'backwards' },
      )
      .finished.then(() => fish.remove(), () => fish.remove());
  }
}
