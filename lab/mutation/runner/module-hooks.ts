import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { transformSync } from '@swc/core';

// Loaded before the workers of StrykerJS (`--import`): TypeScript from its sources, as jest loads it, and `globals.ts` in the place of `@jest/globals`.

const OWN = import.meta.dirname;
const GLOBALS = new URL('globals.ts', import.meta.url).href;

/** Files of the project, and none of a package. */
const isSource = (url: string): boolean => url.startsWith('file:') && url.endsWith('.ts') && !url.includes('/node_modules/');

registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === '@jest/globals') return { url: GLOBALS, shortCircuit: true };
    if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL && isSource(context.parentURL)) {
      const typed = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
      if (existsSync(typed)) return { url: typed.href, shortCircuit: true };
    }
    return next(specifier, context);
  },
  load: (url, context, next) => {
    if (!isSource(url)) return next(url, context);
    const filename = fileURLToPath(url);
    if (filename.startsWith(join(OWN, '..'))) return next(url, context);
    return { format: 'module', source: transformSync(readFileSync(filename, 'utf8'), { filename }).code, shortCircuit: true };
  },
});
