import { beforeEach, describe, expect, it } from '@jest/globals';

import { SharedReads } from './shared-reads.js';

describe('shared reads', () => {
  let begun: { readonly key: string; readonly answer: (value: number) => void; readonly fail: (error: Error) => void }[];
  let reads: SharedReads<string, number>;
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  beforeEach(() => {
    begun = [];
    reads = new SharedReads((key) => {
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      begun.push({ key, answer: resolve, fail: reject });
      return promise;
    });
  });

  it('serve all who ask in one turn, by key', async () => {
    const asked = [reads.ask('a'), reads.ask('a'), reads.ask('b')];
    await turn();
    expect(begun.map(({ key }) => key)).toEqual(['a', 'b']);
    begun.forEach(({ answer }, at) => answer(at));
    expect(await Promise.all(asked)).toEqual([0, 0, 1]);
  });

  it('begin after each question: who asks while one is under way shares the next one', async () => {
    const early = reads.ask('a');
    await turn();
    const late = [reads.ask('a'), reads.ask('a')];
    await turn();
    expect(begun).toHaveLength(1);
    begun[0]!.answer(1);
    expect(await early).toBe(1);
    await turn();
    expect(begun).toHaveLength(2);
    begun[1]!.answer(2);
    expect(await Promise.all(late)).toEqual([2, 2]);
  });

  it('fail for those who share one, and not for those after them', async () => {
    const early = reads.ask('a').catch((error: Error) => error.message);
    await turn();
    const late = reads.ask('a');
    begun[0]!.fail(new Error('the store is down'));
    expect(await early).toBe('the store is down');
    await turn();
    begun[1]!.answer(2);
    expect(await late).toBe(2);
  });
});
