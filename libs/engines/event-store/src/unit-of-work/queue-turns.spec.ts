import { beforeEach, describe, expect, it } from '@jest/globals';

import { KeyedQueue } from '#kernel';

import { streamName } from '../event-store.js';
import { BeginAgain } from './begin-again.js';
import { queueOrder } from './queue-order.js';
import { QueueTurns } from './queue-turns.js';

const [a, b, c] = [streamName('thing', 'a'), streamName('thing', 'b'), streamName('thing', 'c')];
const inOrder = queueOrder([]);

describe('the turns of a work', () => {
  let queue: KeyedQueue;
  let work: QueueTurns;
  let other: QueueTurns;
  beforeEach(() => {
    queue = new KeyedQueue();
    work = new QueueTurns(queue, inOrder);
    other = new QueueTurns(queue, inOrder);
  });

  it('are taken at once where no other work has them, in any order and more than once', () => {
    for (const stream of [c, a, b, a]) expect(work.take(stream)).toBeUndefined();
    for (const stream of [a, b, c]) expect([work.has(stream), queue.isFree(stream)]).toEqual([true, false]);
    work.end();
    for (const stream of [a, b, c]) expect([work.has(stream), queue.isFree(stream)]).toEqual([false, true]);
  });

  it('are waited for in order', async () => {
    void other.take(b);
    expect(work.take(a)).toBeUndefined();
    const taking = work.take(b);
    expect(work.has(b)).toBe(false);
    other.end();
    await taking;
    expect(work.has(b)).toBe(true);
  });

  it('are not waited for out of order: the work begins again', async () => {
    void other.take(a);
    void work.take(b);
    await expect(work.take(a)).rejects.toBeInstanceOf(BeginAgain);
    const again = work.beginAgain(a);
    expect(queue.isFree(b)).toBe(true);
    other.end();
    await again;
    expect([work.has(a), work.has(b)]).toEqual([true, true]);
  });

  it('are waited for in one queue at a time', async () => {
    void other.take(a);
    const late = new QueueTurns(queue, inOrder);
    const both = [work.take(a), work.take(b)];
    expect(late.take(b)).toBeUndefined();
    late.end();
    other.end();
    for (const taken of both) await taken;
    expect([work.has(a), work.has(b)]).toEqual([true, true]);
    expect(work.take(c)).toBeUndefined();
  });

  it('are no longer waited for after a failed wait', async () => {
    void other.take(a);
    void work.take(b);
    await expect(work.take(a)).rejects.toBeInstanceOf(BeginAgain);
    await Promise.resolve();
    expect(work.take(c)).toBeUndefined();
  });

  it('are refused to a work that was started by the work which has them', () => {
    void work.take(a);
    const inner = new QueueTurns(queue, inOrder, work);
    expect(() => inner.take(a)).toThrow('was started by another work on it');
    expect(inner.take(b)).toBeUndefined();
  });
});
