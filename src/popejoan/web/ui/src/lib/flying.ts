// Where things fly from and to: a card from a hand or a player, counters between purses and wells.

import { tastes } from './tastes.svelte';

/** Where a card lies in the hand of a seat: its middle from the left and from below, its height, in pixels; its turn in degrees. */
type Place = { hand: Element; seat: number; x: number; up: number; height: number; turn: number };
const places = new Map<string, Place>();

/** Remember where a card of the hand lies, so that it can fly from there when it is gone. Nothing is
 * measured: that would lay the page out once more for every card that is played. */
export const remember = (card: string, place: Place) => places.set(card, place);
export const forget = () => places.clear();

type Start = { x: number; y: number; height: number; turn: number; hand?: Element };

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

type Played = { card: string; seat: number };
const played = new WeakMap<Element, Played>();

/** Cards that have come, in the frame in which they do: it is laid out, so that their places cost
 * nothing to read, and not yet painted. All are read before any is moved. */
const come = new ResizeObserver((entries) => {
  const flights = entries.map(({ target }) => {
    come.unobserve(target);
    const { card, seat } = played.get(target)!;
    return { node: target as HTMLElement, from: start(card, seat), to: target.getBoundingClientRect() };
  });
  for (const { node, from, to } of flights) if (from) fly(node, from, to);
});

/** A card flies to its run, from the hand it was in. */
export function flown(node: HTMLElement, from: Played): void {
  if (tastes.still || document.hidden) return;
  played.set(node, from);
  come.observe(node);
}

function fly(node: HTMLElement, from: Start, to: DOMRect): void {
  const x = from.x - to.left - to.width / 2;
  const y = from.y - to.top - to.height / 2;
  const grown = Math.min(1.4, Math.max(0.3, from.height / Math.max(1, to.height)));
  // Nothing but what a browser moves without laying out or painting.
  const flight = node.animate(
    [
      { transform: `translate(${x}px, ${y}px) rotate(${from.turn}deg) scale(${grown})`, opacity: 0.3 },
      { opacity: 1, offset: 0.35 },
      { transform: 'none', opacity: 1 },
    ],
    { duration: Math.min(420, 220 + Math.hypot(x, y) / 5), easing: 'cubic-bezier(.2,.6,.35,1)' },
  );
  if (!from.hand) return;
  // Over the hand that it leaves.
  const run = node.parentElement!;
  run.classList.add('over');
  const landed = () => run.classList.remove('over');
  flight.finished.then(landed, landed);
}

const SWIM = 620;
const APART = 55;

/** Counters swim from one to the other over the page, a few for many. */
export function swim(layer: Element, payer: number | string, payee: number | string, counters: number, late = 0) {
  const from = partyAt(payer);
  const to = partyAt(payee);
  if (tastes.still || !from || !to || document.hidden) return;
  const many = Math.min(6, counters);
  // All begin and end at once and wait in between, as each end of a motion costs a browser a frame's work.
  const duration = SWIM + APART * (many - 1);
  const shoal = Array.from({ length: many }, (_, n) => {
    const fish = counter();
    const at = (rect: DOMRect, spread: number) => [
      rect.left + rect.width / 2 + (n - many / 2) * spread,
      rect.top + rect.height / 2 + ((n * 7) % 5) * spread * 0.4,
    ];
    const when = (part: number) => (n * APART + part * SWIM) / duration;
    const frames = swimming(at(from, 5), at(to, 2)).map((frame) => ({ ...frame, offset: when(frame.offset) }));
    const rest = { ...frames.at(-1), offset: 1 };
    layer.append(fish);
    const swum = fish.animate([{ ...frames[0], offset: 0 }, ...frames, rest], { duration, delay: late, fill: 'both' });
    return { fish, swum };
  });
  const gone = () => shoal.forEach(({ fish }) => fish.remove());
  shoal.at(-1)?.swum.finished.then(gone, gone);
}

/** A counter that is on its way. */
function counter(): SVGElement {
  const fish = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  fish.setAttribute('viewBox', '-16 -7 32 14');
  fish.classList.add('swimmer');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  for (const [name, value] of Object.entries({ href: '#fish', x: -16, y: -7, width: 32, height: 14 }))
    use.setAttribute(name, String(value));
  fish.append(use);
  return fish;
}

/** Up and over, from one place to another: slow at both ends, and seen only on the way. */
function swimming([x0, y0]: number[], [x1, y1]: number[]) {
  const lift = Math.min(90, 30 + Math.hypot(x1 - x0, y1 - y0) / 5);
  const heading = (Math.atan2(y0 - y1, x0 - x1) * 180) / Math.PI;
  const to = (x: number, y: number, turn: number, scale: number) =>
    `translate(${x}px, ${y}px) rotate(${heading + turn}deg) scale(${scale})`;
  return [
    { offset: 0, transform: to(x0, y0, 0, 0.7), opacity: 0, easing: 'ease-in' },
    { offset: 0.25, opacity: 1 },
    { offset: 0.4, transform: to((x0 + x1) / 2, (y0 + y1) / 2 - lift, 12, 1.15), easing: 'ease-out' },
    { offset: 0.8, opacity: 1 },
    { offset: 1, transform: to(x1, y1, 0, 0.7), opacity: 0 },
  ];
}
