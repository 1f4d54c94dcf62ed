// Every word that the page shows, from the catalogue of one language in ICU MessageFormat.
// A file in ../lang is a language: it needs no line of code.

import { IntlMessageFormat } from 'intl-messageformat';
import type english from '../lang/en.json';
import { keep, kept } from './kept';

export type Key = keyof typeof english;
export type Values = Record<string, string | number>;
type Catalogue = Record<string, string>;

const files = import.meta.glob<Catalogue>('../lang/*.json', { import: 'default' });
const tagOf = (path: string) => path.match(/([\w-]+)\.json$/)![1];

/** The tags of all languages there are. */
export const languages = Object.keys(files).map(tagOf);
/** English in brackets, chosen by nobody: what stands outside them is a raw string. */
const PSEUDO = 'en-XA';

class Words {
  tag = $state('en');
  catalogue = $state.raw<Catalogue>({});
  made = new Map<string, IntlMessageFormat>();

  /** Speak this language from now on; rejects when its file cannot be had. */
  async speak(tag: string): Promise<void> {
    const from = tag === PSEUDO ? 'en' : tag;
    const path = Object.keys(files).find((each) => tagOf(each) === from)!;
    const catalogue = await files[path]();
    this.made = new Map();
    this.tag = tag;
    this.catalogue = catalogue;
    document.documentElement.lang = tag;
    document.documentElement.dir = catalogue['language.dir'];
  }
}

const words = new Words();

/** The language that is spoken. */
export const spoken = () => words.tag;

/** A message in the language that is spoken; what it holds is put in by name. */
export function t(key: Key, values?: Values): string {
  const text = words.catalogue[key] ?? key;
  let made = words.made.get(key);
  if (!made) words.made.set(key, (made = new IntlMessageFormat(text, words.tag)));
  const said = made.format(values) as string;
  return words.tag === PSEUDO ? `⟦${said}⟧` : said;
}

/** Whether there is such a message: for keys that a server names. */
export const known = (key: string): key is Key => key in words.catalogue;

/** Why a server refused something: in its own English only where there is no message for it. */
export function refusal(says: string, why: Values | string = {}): string {
  const { what, ...values } = typeof why === 'string' ? { what: why } : why;
  const key = `refused.${what}`;
  if (known(key)) return t(key, values);
  return words.tag === 'en' ? says : t('problem.other', { says });
}

/** A list as the language writes one: `Anna, Ben and Cleo`. */
export const list = (parts: string[], type: 'conjunction' | 'unit' = 'unit') =>
  new Intl.ListFormat(words.tag, { type, style: type === 'unit' ? 'short' : 'long' }).format(parts);

/** What a language calls itself. */
export function nameOf(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
  return name[0].toLocaleUpperCase(tag) + name.slice(1);
}

/** The language of this browser's user: chosen before, or the first wish that there is a file for. */
function wished(): string {
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

/** Speak the user's language; English when its file does not come. */
export const begin = () => words.speak(wished()).catch(() => words.speak('en'));

/** Speak this language, now and the next time. */
export async function choose(tag: string): Promise<void> {
  await words.speak(tag);
  keep('language', tag);
}
