// The first script is read as a whole while it comes, beside what the page does, and not function by
// function when each is called: browsers that know the mark are ready sooner, others pass it over.

import type { Plugin } from 'vite';

export function eager(): Plugin {
  return {
    name: 'eager',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const each of Object.values(bundle))
          if (each.type === 'chunk' && each.name === 'first')
            each.code = `//# allFunctionsCalledOnLoad\n${each.code}`;
      },
    },
  };
}
