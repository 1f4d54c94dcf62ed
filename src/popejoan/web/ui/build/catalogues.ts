// The catalogues are read here, when the page is built, so that no browser has to: a message that
// puts nothing in stays a string, any other becomes what IntlMessageFormat would have made of it.

import { parse } from '@formatjs/icu-messageformat-parser';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const NAME = 'virtual:languages';

/** What a language calls itself. */
function nameOf(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
  return name[0].toLocaleUpperCase(tag) + name.slice(1);
}

function compiled(message: string, where: string) {
  try {
    const parts = parse(message, { captureLocation: false });
    return parts.length === 1 && parts[0].type === 0 ? parts[0].value : parts;
  } catch (error) {
    throw new Error(`${where} cannot be read: ${(error as Error).message} in ${message}`);
  }
}

/** A catalogue that lacks a message has the English one in its place; gives `virtual:languages`. */
export function catalogues(): Plugin {
  let root = '';
  return {
    name: 'catalogues',
    enforce: 'pre',
    configResolved: (config) => {
      root = config.root;
    },
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    async load(id) {
      if (id === `\0${NAME}`) {
        const files = readdirSync(join(root, 'src', 'lang')).sort();
        const names = files.map((file) => file.replace('.json', '')).map((tag) => [tag, nameOf(tag)]);
        return `export default ${JSON.stringify(Object.fromEntries(names))}`;
      }
      const [, folder, tag] = /^(.*\/lang\/)([\w-]+)\.json$/.exec(id) ?? [];
      if (!folder) return null;
      const read = async (path: string) =>
        JSON.parse(await this.fs.readFile(path, { encoding: 'utf8' }));
      this.addWatchFile(`${folder}en.json`);
      const messages: Record<string, string> = { ...(await read(`${folder}en.json`)), ...(await read(id)) };
      const made = Object.entries(messages).map(([key, text]) => [key, compiled(text, `${tag}.json: ${key}`)]);
      return JSON.stringify(Object.fromEntries(made));
    },
  };
}
