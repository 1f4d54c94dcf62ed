// The check of a deal: were its cards sealed before it? SHA-256 by hand, since a page that came
// over plain HTTP in the house is given none.

import type { Opening } from './types';

const K = primes(64).map((prime) => fraction(Math.cbrt(prime)));
const H = primes(8).map((prime) => fraction(Math.sqrt(prime)));

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime)) found.push(n);
  return found;
}

function fraction(root: number): number {
  return ((root - Math.floor(root)) * 2 ** 32) >>> 0;
}

export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const length = (((bytes.length + 8) >> 6) + 1) << 6;
  const data = new DataView(new ArrayBuffer(length));
  bytes.forEach((byte, place) => data.setUint8(place, byte));
  data.setUint8(bytes.length, 0x80);
  data.setUint32(length - 4, bytes.length * 8);
  const state = [...H];
  const turn = (x: number, by: number) => (x >>> by) | (x << (32 - by));
  for (let block = 0; block < length; block += 64) {
    const w = Array.from({ length: 16 }, (_, n) => data.getUint32(block + 4 * n));
    for (let n = 16; n < 64; n++) {
      const a = w[n - 15], b = w[n - 2];
      const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
      const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
      w.push((w[n - 16] + s0 + w[n - 7] + s1) | 0);
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let n = 0; n < 64; n++) {
      const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
      const one = (h + s1 + ((e & f) ^ (~e & g)) + K[n] + w[n]) | 0;
      const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
      const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, n) => (state[n] = (state[n] + word) | 0));
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/** Whether the cards dealt are those that were sealed. */
export function fair(opening: Opening, seal: string | null): boolean {
  if (seal !== null && seal !== opening.seal) return false;
  if (sha256(`popejoan pack 1\n${opening.nonce}\n${opening.cards}\n`) !== opening.seal) return false;
  if (!opening.deal) return true;
  const order = opening.cards.split(' ');
  const [hands, turned, stock] = opening.deal.split('|').map((part) => part.trim());
  let at = 0;
  const same = (text: string, count: number) => {
    const mine = text.split(/[\s,]+/).filter(Boolean).sort().join();
    return mine === order.slice(at, (at += count)).sort().join();
  };
  const size = (text: string) => text.split(/[\s,]+/).filter(Boolean).length;
  return (
    hands.split('/').every((hand) => same(hand, size(hand))) && same(turned, 1) && same(stock, size(stock))
  );
}
