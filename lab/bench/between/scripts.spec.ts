import { describe, expect, it } from '@jest/globals';

import { compilationOf, startOf } from './scripts.js';

describe('the scripts of a commit', () => {
  it('tell how its service starts', () => {
    expect(
      startOf({
        start: 'node tools/start/build.ts && exec node --max-semi-space-size=64 --heap-growing-percent=100 dist/apps/standalone/src/main.js',
      }),
    ).toEqual({
      flags: ['--max-semi-space-size=64', '--heap-growing-percent=100'],
      main: 'dist/apps/standalone/src/main.js',
    });
    expect(startOf({ start: 'npm run build --silent > /dev/null && exec node dist/apps/standalone/src/main.js' })).toEqual({
      flags: [],
      main: 'dist/apps/standalone/src/main.js',
    });
    expect(startOf({ start: 'exec node out/standalone.js' })).toEqual({ flags: [], main: 'out/standalone.js' });
  });

  it('tell how its benchmarks are compiled, in either layout', () => {
    expect(compilationOf({ bench: 'npm run --silent build && node node_modules/typescript7/bin/tsc -p bench && node dist/bench/main.js' })).toEqual({
      command: 'npm run --silent build && node node_modules/typescript7/bin/tsc -p bench',
      folder: 'dist/bench',
    });
    expect(
      compilationOf({
        bench: 'npm run --silent build && node node_modules/typescript7/bin/tsc -p lab/bench && node --expose-gc dist/lab/bench/main.js',
      }),
    ).toEqual({
      command: 'npm run --silent build && node node_modules/typescript7/bin/tsc -p lab/bench',
      folder: 'dist/lab/bench',
    });
  });

  it('are refused when they end otherwise', () => {
    expect(() => startOf({ start: 'node dist/main.js' })).toThrow('this `npm start` does not end in `exec node …`: node dist/main.js');
    expect(() => startOf({})).toThrow('`npm start`');
    expect(() => compilationOf({ bench: 'node dist/bench/main.js' })).toThrow('this `npm run bench` does not end in');
    expect(() => compilationOf({})).toThrow('`npm run bench`');
  });
});
