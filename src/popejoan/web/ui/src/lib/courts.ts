// The court cards are fetched before they are played: they are the largest, and would come late.

import faces from 'virtual:faces';
import { whenIdle } from './later';

const fetched = new Map<string, HTMLImageElement>();

/** Fetch the court cards of a deck, one after another once there is nothing more urgent to do, and keep them. */
export function fetchCourts(colours: 'four' | 'two'): void {
  const missing = Object.entries(faces[colours])
    .filter(([card, address]) => 'JQK'.includes(card[0]) && !fetched.has(address))
    .map(([, address]) => address);
  const next = () => {
    const address = missing.pop();
    if (!address) return;
    // Another call may have begun on it.
    if (fetched.has(address)) return next();
    const image = new Image();
    fetched.set(address, image);
    image.onload = image.onerror = next;
    image.src = address;
  };
  whenIdle(next);
}
