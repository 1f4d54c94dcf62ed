// What can be made smaller is kept beside itself compressed, so that the server need not do it.

import { constants, brotliCompressSync, gzipSync } from 'node:zlib';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const WORTH = /\.(css|html|js|json|svg|webmanifest)$/;

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
        const best = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
        for (const [end, small] of [
          ['.br', brotliCompressSync(whole, { params: best })],
          ['.gz', gzipSync(whole, { level: 9 })],
        ] as const)
          if (small.length < whole.length) writeFileSync(path + end, small);
      }
    },
  };
}
