import { beforeEach, describe, expect, it } from '@jest/globals';

import { HandledRevisions } from './progress.js';

let progress: HandledRevisions<string>;
beforeEach(() => {
  progress = new HandledRevisions<string>(0n, 2, new AbortController().signal);
});

describe('the progress of messages', () => {
  it('ends before the first message that is not done, in whatever order they end', () => {
    const [first, second] = [progress.begin(1n, 'a'), progress.begin(2n, 'b')];
    second();
    expect([progress.done, progress.isFull]).toEqual([0n, true]);
    first();
    expect([progress.done, progress.mark, progress.isFull]).toEqual([2n, 'b', false]);
  });

  it('passes a message without a handler only after those before it', () => {
    const first = progress.begin(1n, 'a');
    progress.pass(2n, 'b');
    expect(progress.done).toBe(0n);
    first();
    expect([progress.done, progress.mark]).toEqual([2n, 'b']);
  });

  it('does not count a message that began before a restart, not even for another one at its position', () => {
    const before = progress.begin(1n, 'a');
    progress.restart();
    const after = progress.begin(1n, 'other');
    before();
    expect([progress.done, progress.mark]).toEqual([0n, undefined]);
    after();
    expect([progress.done, progress.mark]).toEqual([1n, 'other']);
  });
});
