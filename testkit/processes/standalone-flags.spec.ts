import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { STANDALONE_FLAGS } from './standalone-flags.js';

const textOf = (path: string): string => readFileSync(resolve(import.meta.dirname, '../..', path), 'utf8');

describe('the flags of V8 in tests and benchmarks', () => {
  it.each(['package.json', 'deploy/Dockerfile', 'deploy/production/systemd/countersign.service'])(
    'are those with which %s starts the one process',
    (path) => {
      const starts = textOf(path)
        .split('\n')
        .filter((line) => /node\b.*standalone\S*\.js/.test(line) && line.includes('--heap'));
      expect(starts).toHaveLength(1);
      expect(starts[0]!.match(/--(?:max|heap)-[a-z-]+=\d+/g)).toEqual(STANDALONE_FLAGS);
    },
  );
});
