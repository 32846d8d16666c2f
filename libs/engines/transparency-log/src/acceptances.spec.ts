import { readFile } from 'node:fs/promises';

import { type LossAccepted, rangesOf, voidOf } from './acceptances.js';

/** Stored events are read for ever: never change this file, add another one for a new version. */
const GOLDEN = JSON.parse(await readFile(new URL('acceptances.v1.json', import.meta.url), 'utf8')) as LossAccepted[];

describe('accepted losses', () => {
  it('name the leaves that the store need not have', () => {
    expect(voidOf(GOLDEN.map(({ data }) => data))).toEqual([[9, 11]]);
  });

  it('are kept as ranges', () => {
    expect(rangesOf([5, 3, 4, 9, 9, 1])).toEqual([
      [1, 1],
      [3, 5],
      [9, 9],
    ]);
    expect(rangesOf([])).toEqual([]);
  });
});
