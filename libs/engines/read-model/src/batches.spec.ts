import { describe, expect, it, jest } from '@jest/globals';

import type { RecordedEvent, SubscriptionItem } from '#engines/event-store';

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
    expect(await collected(batches(slowly(event(1), event(2), 'caught-up'), { size: 10 }))).toEqual([
      [[1], false],
      [[2], false],
      [[], true],
    ]);
  });

  it('wait for more events where they may', async () => {
    expect(await collected(batches(slowly(event(1), event(2), event(3), 'caught-up'), { size: 10, linger: 60_000 }))).toEqual([[[1, 2, 3], true]]);
  });

  it('do not wait once they are full', async () => {
    expect(await collected(batches(slowly(event(1), event(2), event(3)), { size: 2, linger: 60_000 }))).toEqual([
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
    for await (const { events } of batches(items(), { size: 10, linger: 1 })) {
      sizes.push(events.length);
      goOn.resolve();
    }
    expect(sizes).toEqual([1, 1]);
  });

  it('leave out the events that do not concern the reader, and do not wait for them', async () => {
    const seen: number[] = [];
    const concerns = ({ position }: RecordedEvent): boolean => {
      seen.push(Number(position));
      return position % 2n === 0n;
    };
    async function* items(): AsyncGenerator<SubscriptionItem, void, void> {
      yield* [1, 2, 3, 4, 5].map(event);
      yield* slowly(event(7), event(9), event(10));
    }
    expect(await collected(batches(items(), { size: 10, concerns }))).toEqual([
      [[2, 4], false],
      [[10], false],
    ]);
    expect(seen).toEqual([1, 2, 3, 4, 5, 7, 9, 10]);
  });

  it('are gathered while the last one is read, as far as there is room', async () => {
    const handedOver: number[] = [];
    async function* items(): AsyncGenerator<SubscriptionItem, void, void> {
      for (const position of [1, 2, 3, 4, 5]) {
        handedOver.push(position);
        yield event(position);
      }
    }
    const all: number[][] = [];
    for await (const { events } of batches(items(), { size: 2 })) {
      await new Promise((resolve) => setImmediate(resolve));
      all.push(
        events.map(({ position }) => Number(position)),
        [...handedOver],
      );
    }
    expect(all).toEqual([[1, 2], [1, 2, 3, 4], [3, 4], [1, 2, 3, 4, 5], [5], [1, 2, 3, 4, 5]]);
  });

  it('end with the failure of the items, and with the reader', async () => {
    const failing = (async function* (): AsyncGenerator<SubscriptionItem, void, void> {
      yield event(1);
      throw new Error('no answer');
    })();
    await expect(collected(batches(failing, { size: 10 }))).rejects.toThrow('no answer');

    const left = jest.fn<() => Promise<IteratorResult<SubscriptionItem, undefined>>>().mockResolvedValue({ done: true, value: undefined });
    const next = (): Promise<IteratorResult<SubscriptionItem, undefined>> => new Promise((resolve) => setImmediate(resolve, { value: event(1) }));
    for await (const _batch of batches({ [Symbol.asyncIterator]: () => ({ next, return: left }) }, { size: 1 })) break;
    expect(left).toHaveBeenCalledTimes(1);
  });
});
