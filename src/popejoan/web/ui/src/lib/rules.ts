// The rules in words: each field's value as a sentence, and the book that has it.

import { placeName } from './fold';
import { known, list, t, type Key } from './words.svelte';

/** The message of a field's value: its own, or that of any number or board. */
function keyOf(field: string, value: unknown): Key {
  const named: Record<string, string> = { null: 'none', true: 'yes', false: 'no' };
  const key = `rule.${field}.${named[String(value)] ?? String(value)}`;
  return known(key) ? key : (`rule.${field}.set` as Key);
}

/** What the value of a field means at the table. */
export function ruleSentence(field: string, value: unknown): string {
  if (typeof value !== 'object' || value === null)
    return t(keyOf(field, value), { value: String(value) });
  const stakes = Object.entries(value as Record<string, number>).filter(([, counters]) => counters);
  const places = stakes.map(([place, counters]) =>
    t('place.counters', { place: placeName(place), counters }),
  );
  return t(keyOf(field, 'set'), { value: list(places) });
}

/** The books that have this value. */
export const ruleBook = (field: string, value: unknown) => t(`${keyOf(field, value)}.book` as Key);
