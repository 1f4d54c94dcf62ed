// The court cards are read before they are played: a browser takes long over one, and would take its
// time while the card flies.

import faces from 'virtual:faces';
import { whenIdle } from './later';

const read = new Map<string, HTMLImageElement>();

/** Read the court cards of a deck, one whenever there is nothing more urgent to do and nothing moves, and keep them. */
export function readCourts(colours: 'four' | 'two'): void {
  const unread = Object.entries(faces[colours])
    .filter(([card, address]) => 'JQK'.includes(card[0]) && !read.has(address))
    .map(([, address]) => address);
  const next = () => {
    if (document.getAnimations().length) return void setTimeout(() => whenIdle(next), 200);
    const address = unread.pop();
    if (!address) return;
    // Another call may have begun on it.
    if (read.has(address)) return next();
    const image = new Image();
    read.set(address, image);
    image.onload = image.onerror = () => whenIdle(next);
    image.src = address;
  };
  whenIdle(next);
}
