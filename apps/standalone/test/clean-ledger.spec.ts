import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../../..');
const EARLIER = /\b(?:earlier|former|previous|older|old) (?:releases?|versions?)\b|\blegacy-|--accept-unsigned/;

/** What may speak of releases: how events and tables change from now on. */
const EVOLUTION = [
  // Events of a kind that an older process must not decide on have a version of their own.
  'libs/domain/session/src/domain/session.events.ts',
  // The hook by which a later version of an event is read, and the tables that two releases have beside one another.
  'libs/engines/event-store/src/unit-of-work/stream-type.ts',
  'libs/engines/read-model/src/projection.ts',
];

it('no product file reads what an earlier release has written, since there was none', () => {
  const files = globSync('{apps,libs}/**/*.ts', { cwd: ROOT, exclude: (name) => name === 'node_modules' || name === 'dist' }).filter(
    (path) => !/\.spec\.ts$|\/test\//.test(path),
  );
  expect(files.length).toBeGreaterThan(1_000);
  expect(files.filter((path) => EARLIER.test(readFileSync(join(ROOT, path), 'utf8'))).toSorted()).toEqual(EVOLUTION.toSorted());
});
