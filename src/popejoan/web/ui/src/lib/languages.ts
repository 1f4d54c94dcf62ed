// Which languages there are, and which of them this browser's user wishes for.
// A file in ../lang is a language: it needs no line of code.

import names from 'virtual:languages';
import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { kept } from './kept';

/** A message that puts nothing in is its text. */
export type Catalogue = Record<string, string | MessageFormatElement[]>;

const files = import.meta.glob<Catalogue>('../lang/*.json', { import: 'default' });
const loading = new Map<string, Promise<Catalogue>>();

/** What each language calls itself, by its tag. */
export { names };
/** The tags of all languages there are. */
export const languages = Object.keys(names);
/** English in brackets, chosen by nobody: what stands outside them is a raw string. */
export const PSEUDO = 'en-XA';

/** The catalogue of a language; rejects when its file cannot be had. */
export function catalogueOf(tag: string): Promise<Catalogue> {
  const from = tag === PSEUDO ? 'en' : tag;
  let found = loading.get(from);
  if (!found) {
    loading.set(from, (found = files[`../lang/${from}.json`]()));
    found.catch(() => loading.delete(from));
  }
  return found;
}

/** The language of this browser's user: chosen before, or the first wish that there is a file for. */
export function wished(): string {
  const chosen = kept('language');
  if (chosen && (languages.includes(chosen) || chosen === PSEUDO)) return chosen;
  for (const wish of navigator.languages) {
    const found =
      languages.find((tag) => tag.toLowerCase() === wish.toLowerCase()) ??
      languages.find((tag) => tag === wish.split('-')[0].toLowerCase());
    if (found) return found;
  }
  return 'en';
}
