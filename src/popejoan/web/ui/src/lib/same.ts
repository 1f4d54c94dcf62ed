// What has not changed stays the same object, so that nothing that is made from it is made anew.

/** `now`, with each part that equals its part of `before` taken from there. For values as JSON has them. */
export function same<T>(before: unknown, now: T): T {
  if (before === now || !isOpen(before) || !isOpen(now)) return now;
  if (Array.isArray(before) !== Array.isArray(now)) return now;
  const keys = Object.keys(now);
  let equal = keys.length === Object.keys(before).length;
  const made: Record<string, unknown> = Array.isArray(now) ? ([] as never) : {};
  for (const key of keys) {
    made[key] = same(before[key], now[key]);
    if (made[key] !== before[key]) equal = false;
  }
  return (equal ? before : made) as T;
}

const isOpen = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Makes the same, and gives what it gave before where that is equal. */
export function steady<T>(make: () => T): () => T {
  let last: T;
  return () => (last = same(last, make()));
}
