// Every word that the page shows, from the catalogue of one language in ICU MessageFormat.

import { IntlMessageFormat, formatToParts } from 'intl-messageformat';
import type english from '../lang/en.json';
import { keep } from './kept';
import { PSEUDO, catalogueOf, wished, type Catalogue } from './languages';

export type Key = keyof typeof english;
export type Values = Record<string, string | number>;

class Words {
  tag = $state('en');
  catalogue = $state.raw<Catalogue>({});

  /** Speak this language from now on; rejects when its file cannot be had. */
  async speak(tag: string): Promise<void> {
    const catalogue = await catalogueOf(tag);
    this.tag = tag;
    this.catalogue = catalogue;
    document.documentElement.lang = tag;
    document.documentElement.dir = catalogue['language.dir'] as string;
  }
}

const words = new Words();

/** The language that is spoken. */
export const spoken = () => words.tag;

/** Makes one formatter for all messages that need the same: to make one takes a browser long. */
function once<Options, Formatter>(make: (tag: string, options?: Options) => Formatter) {
  const made = new Map<string, Formatter>();
  return (tag: string | string[], options?: Options): Formatter => {
    const name = `${tag} ${JSON.stringify(options)}`;
    let found = made.get(name);
    if (!found) made.set(name, (found = make(String(tag), options)));
    return found;
  };
}
const formatters = {
  getNumberFormat: once((tag, options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(tag, options)),
  getDateTimeFormat: once((tag, options?: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, options)),
  getPluralRules: once((tag, options?: Intl.PluralRulesOptions) => new Intl.PluralRules(tag, options)),
} as Parameters<typeof formatToParts>[2];
const lists = once((tag, options?: Intl.ListFormatOptions) => new Intl.ListFormat(tag, options));

/** A message in the language that is spoken; what it holds is put in by name. */
export function t(key: Key, values?: Values): string {
  const message = words.catalogue[key] ?? key;
  const said =
    typeof message === 'string'
      ? message
      : formatToParts(message, words.tag, formatters, IntlMessageFormat.formats, values, undefined, key)
          .map(({ value }) => value)
          .join('');
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
  lists(words.tag, { type, style: type === 'unit' ? 'short' : 'long' }).format(parts);

/** Speak the user's language; English when its file does not come. */
export const begin = () => words.speak(wished()).catch(() => words.speak('en'));

/** Speak this language, now and the next time. */
export async function choose(tag: string): Promise<void> {
  await words.speak(tag);
  keep('language', tag);
}
