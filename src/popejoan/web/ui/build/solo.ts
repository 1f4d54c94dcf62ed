// The page without a network: Python for the browser with the sources that it runs, each version in
// a folder of its own; and the worker that keeps what the page needs.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const NAME = 'virtual:solo';
const PYODIDE = ['pyodide.mjs', 'pyodide.asm.mjs', 'pyodide.asm.wasm', 'python_stdlib.zip', 'pyodide-lock.json'];
/** What is kept from the first visit on; the rest when someone asks to play without a network. */
const SHELL = /^(?!solo-worker|solo-\w+\/).*\.(js|css|woff2)$|^icon/;

export function solo(): Plugin {
  let root = '';
  let folder = '';
  const files = new Map<string, Buffer>();

  return {
    name: 'solo',
    configResolved(config) {
      root = config.root;
      for (const name of PYODIDE)
        files.set(name, readFileSync(join(root, 'node_modules', 'pyodide', name)));
      files.set('python.zip', readFileSync(join(root, 'node_modules', '.solo', 'python.zip')));
      // Nothing is ever fetched by this list, which is long: the wheels are in python.zip.
      const lock = JSON.parse(files.get('pyodide-lock.json')!.toString());
      files.set('pyodide-lock.json', Buffer.from(JSON.stringify({ ...lock, packages: {} })));
      const digest = createHash('sha256');
      for (const [name, source] of files) digest.update(name).update(source);
      folder = `assets/solo-${digest.digest('hex').slice(0, 10)}`;
    },
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load: (id) =>
      id === `\0${NAME}`
        ? `export const folder = ${JSON.stringify(folder)};
           export const size = ${[...files.values()].reduce((sum, { length }) => sum + length, 0)};`
        : null,
    generateBundle: {
      // Last of all: whatever was made and is not written must not be asked for.
      order: 'post',
      handler(_options, bundle) {
        for (const [name, source] of files)
          this.emitFile({ type: 'asset', fileName: `${folder}/${name}`, source });
        const all = Object.keys(bundle).filter((name) => name.startsWith('assets/'));
        const shell = all.filter((name) => SHELL.test(name.slice('assets/'.length)));
        const rest = all.filter((name) => !shell.includes(name));
        rest.push(...[...files.keys()].map((name) => `${folder}/${name}`));
        const source = readFileSync(join(root, 'build', 'keeper.js'), 'utf8')
          .replace('__SHELL__', JSON.stringify(['./', ...new Set(shell)].sort()))
          .replace('__REST__', JSON.stringify([...new Set(rest)].sort()));
        this.emitFile({ type: 'asset', fileName: 'sw.js', source });
      },
    },
  };
}
