import { expect, it } from '@jest/globals';

import type { Assignment } from '#engines/message-bus';
import { collector, type Fixture, nameOf } from './fixture.js';

export const resumingContract = (fixture: Fixture): void => {
  it('resumes after the last message that was processed', async () => {
    await fixture.things(['a', 'Made']);
    const before = collector();
    const first = await fixture.consume(before.handler);
    await before.until(1);
    await first.stop();
    await fixture.things(['a', 'Moved']);
    const after = collector();
    await fixture.consume(after.handler);
    await after.until(1);
    expect(after.seen).toEqual(['a/1']);
  });

  it('lets a running handler finish before it ends, and commits its outcome', async () => {
    await fixture.things(['a', 'Made']);
    const reached = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const first = await fixture.consume(async () => {
      reached.resolve();
      await held.promise;
    });
    await reached.promise;
    const stopped = first.stop();
    held.resolve();
    await stopped;
    await fixture.things(['b', 'Made']);
    const after = collector();
    await fixture.consume(after.handler);
    await after.until(1);
    expect(after.seen).toEqual(['b/0']);
  });

  it('delivers a message again when its handler did not finish before the end', async () => {
    await fixture.things(['a', 'Made']);
    const reached = Promise.withResolvers<void>();
    const first = await fixture.consume(async (_message, { signal }) => {
      reached.resolve();
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
    });
    await reached.promise;
    await first.stop();
    const after = collector();
    await fixture.consume(after.handler);
    await after.until(1);
    expect(after.seen).toEqual(['a/0']);
    expect(await fixture.deadLetters()).toEqual([]);
  });

  it('tells the consumer its share of the topic before the first message, and names the partition of each subject', async () => {
    const shares: Assignment[] = [];
    const all = collector();
    const told: number[] = [];
    await fixture.things(['a', 'Made'], ['b', 'Made'], ['c', 'Made']);
    const consumer = await fixture.consume(
      async (message) => {
        told.push(shares.length);
        await all.handler(message);
      },
      { assigned: (assignment) => void shares.push(assignment) },
    );
    await all.until(3);
    expect(Math.min(...told)).toBeGreaterThanOrEqual(1);
    const { partitions, owned } = shares.at(-1)!;
    expect(owned).toEqual(Array.from({ length: partitions }, (_, partition) => partition));
    for (const thing of ['a', 'b', 'c']) expect(owned).toContain(consumer.bus.partitionOf(thing, partitions));
  });

  it('is ready while it consumes, and not after its end', async () => {
    const all = collector();
    const consumer = await fixture.consume(all.handler);
    await fixture.things(['a', 'Made']);
    await all.until(1);
    await expect(consumer.check()).resolves.toBeUndefined();
    await consumer.stop();
    await expect(consumer.check()).rejects.toThrow('stopped');
  });

  it('delivers a later message of another subject while one is delayed', async () => {
    await fixture.things(['slow', 'Made'], ['quick', 'Made']);
    const held = Promise.withResolvers<void>();
    const quick = Promise.withResolvers<string>();
    await fixture.consume(async (message) => {
      if (message.subject === 'slow') await held.promise;
      else quick.resolve(nameOf(message));
    });
    expect(await quick.promise).toBe('quick/0');
    held.resolve();
  });
};
