import type { Plugin } from 'vite';

/** A catalogue that lacks a message has the English one in its place. */
export function catalogues(): Plugin {
  return {
    name: 'catalogues',
    enforce: 'pre',
    async load(id) {
      const [, folder] = /^(.*\/lang\/)[\w-]+\.json$/.exec(id) ?? [];
      if (!folder) return null;
      const read = async (path: string) =>
        JSON.parse(await this.fs.readFile(path, { encoding: 'utf8' }));
      this.addWatchFile(`${folder}en.json`);
      return JSON.stringify({ ...(await read(`${folder}en.json`)), ...(await read(id)) });
    },
  };
}
