// What can be made smaller is kept beside itself compressed, so that the server need not do it.

import { constants, brotliCompressSync, gzipSync } from 'node:zlib';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const WORTH = /\.(css|html|js|json|mjs|svg|wasm|webmanifest)$/;

export function compress(): Plugin {
  let folder = '';
  return {
    name: 'compress',
    apply: 'build',
    configResolved: (config) => {
      folder = join(config.root, config.build.outDir);
    },
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (!WORTH.test(name)) continue;
        const path = join(folder, name);
        const whole = readFileSync(path);
        // The last per cent of what is very large would take half a minute.
        const quality = whole.length > 500_000 ? 9 : constants.BROTLI_MAX_QUALITY;
        const best = { [constants.BROTLI_PARAM_QUALITY]: quality };
        for (const [end, small] of [
          ['.br', brotliCompressSync(whole, { params: best })],
          ['.gz', gzipSync(whole, { level: 9 })],
        ] as const)
          // What is very large is kept small once: a wheel has to carry it.
          if (small.length < whole.length && (end === '.br' || whole.length < 500_000))
            writeFileSync(path + end, small);
      }
    },
  };
}
