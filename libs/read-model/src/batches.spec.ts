import { describe, expect, it } from '@jest/globals';

import type { RecordedEvent, SubscriptionItem } from '#event-store';

import { type Batch, batches } from './batches.js';

const event = (position: number): RecordedEvent => ({ position: BigInt(position) }) as RecordedEvent;

/** Items with a pause before each. */
async function* slowly(...items: readonly SubscriptionItem[]): AsyncGenerator<SubscriptionItem, void, void> {
  for (const item of items) {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    yield item;
  }
}

const collected = async (of: AsyncIterable<Batch>): Promise<unknown> => {
  const all: unknown[] = [];
  for await (const { events, caughtUp } of of) all.push([events.map(({ position }) => Number(position)), caughtUp]);
  return all;
};

describe('batches of events', () => {
  it('hold what came without a pause', async () => {
    expect(await collected(batches(slowly(event(1), event(2), 'caught-up'), 10))).toEqual([
      [[1], false],
      [[2], false],
      [[], true],
    ]);
  });

  it('wait for more events where they may', async () => {
    expect(await collected(batches(slowly(event(1), event(2), event(3), 'caught-up'), 10, 60_000))).toEqual([[[1, 2, 3], true]]);
  });

  it('do not wait once they are full', async () => {
    expect(await collected(batches(slowly(event(1), event(2), event(3)), 2, 60_000))).toEqual([
      [[1, 2], false],
      [[3], false],
    ]);
  });

  it('end some time after their first event', async () => {
    const goOn = Promise.withResolvers<void>();
    async function* items(): AsyncGenerator<SubscriptionItem, void, void> {
      yield event(1);
      await goOn.promise;
      yield event(2);
    }
    const sizes: number[] = [];
    for await (const { events } of batches(items(), 10, 1)) {
      sizes.push(events.length);
      goOn.resolve();
    }
    expect(sizes).toEqual([1, 1]);
  });
});
