// Where things fly from and to: a card from a hand or a player, counters between purses and wells.

import { tastes } from './tastes.svelte';

const seen = new Map<string, DOMRect>();

/** Remember where the cards of the hand lie, so that one that is gone can still fly from there. */
export function remember(card: string, at: DOMRect): void {
  seen.set(card, at);
}

function middle(of: Element | null): DOMRect | null {
  const rect = of?.getBoundingClientRect();
  return rect?.width ? rect : null;
}

export const seatAt = (seat: number) => middle(document.querySelector(`[data-seat="${seat}"]`));
export const wellAt = (place: string) => middle(document.querySelector(`[data-place="${place}"]`));
export const partyAt = (who: number | string) => (typeof who === 'number' ? seatAt(who) : wellAt(who));

/** A card flies to its run, from the hand it was in. */
export function flown(node: Element, { card, seat }: { card: string; seat: number }) {
  const from = seen.get(card) ?? seatAt(seat);
  seen.delete(card);
  if (tastes.still || !from) return { duration: 0 };
  const to = node.getBoundingClientRect();
  const x = from.left + from.width / 2 - to.left - to.width / 2;
  const y = from.top + from.height / 2 - to.top - to.height / 2;
  const grown = Math.min(1.4, Math.max(0.3, from.height / Math.max(1, to.height)));
  return {
    duration: Math.min(420, 220 + Math.hypot(x, y) / 5),
    easing: (t: number) => 1 - (1 - t) ** 3,
    css: (t: number, u: number) =>
      `transform: translate(${x * u}px, ${y * u}px) rotate(${u * 8}deg) scale(${1 + (grown - 1) * u}); opacity: ${Math.min(1, 0.3 + t * 2)}; z-index: 5`,
  };
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
