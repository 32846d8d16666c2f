import { describe, expect, it } from '@jest/globals';

import type { EventId } from '#kernel';

import { type RecordedEvent, streamName, type SubscriptionItem } from '../event-store.js';
import { acceptedItems, type Judgement } from './accepted-items.js';

const event = (type: string): RecordedEvent => ({
  stream: streamName('device', 'one'),
  revision: 0,
  position: 1n,
  id: '00000000-0000-4000-8000-000000000000' as EventId,
  type,
  data: {},
});

const judgement: Judgement = {
  isChecked: ({ type }) => type === 'known',
  judge: async (event) => (event.type === 'right' ? { ...event, type: 'shown' } : event.type === 'last' ? 'ended' : 'refused'),
};

/** An iterable whose iterator notes that it was closed; without `closes` it cannot be. */
const source = (items: readonly SubscriptionItem[], closes = true) => {
  const closed: true[] = [];
  const left = [...items];
  const next = async (): Promise<IteratorResult<SubscriptionItem, undefined>> => {
    const value = left.shift();
    return value === undefined ? { done: true, value } : { value };
  };
  const close = async () => (closed.push(true), { done: true, value: undefined } as const);
  return { closed, left, iterable: { [Symbol.asyncIterator]: () => (closes ? { next, return: close } : { next }) } };
};

const shown = async (iterable: AsyncIterable<SubscriptionItem>): Promise<string[]> => {
  const types: string[] = [];
  for await (const item of iterable) types.push(item === 'caught-up' ? item : item.type);
  return types;
};

describe('the accepted items of a subscription', () => {
  it('are those that are known or judged right, in their order', async () => {
    const { iterable, closed } = source([
      event('known'),
      event('wrong'),
      event('right'),
      'caught-up',
      event('wrong'),
      event('wrong'),
      event('known'),
    ]);
    expect(await shown(acceptedItems(iterable, judgement))).toEqual(['known', 'shown', 'caught-up', 'known']);
    expect(closed).toEqual([]);
  });

  it('end where the judgement ends them, and the source is closed', async () => {
    const { iterable, closed, left } = source([event('right'), event('last'), event('right')]);
    expect(await shown(acceptedItems(iterable, judgement))).toEqual(['shown']);
    expect(closed).toEqual([true]);
    expect(left).toHaveLength(1);
  });

  it('close the source when the reader stops', async () => {
    const { iterable, closed } = source([event('right'), event('right')]);
    for await (const _item of acceptedItems(iterable, judgement)) break;
    expect(closed).toEqual([true]);
  });

  it('end also over a source that cannot be closed', async () => {
    const { iterable } = source([event('last')], false);
    expect(await shown(acceptedItems(iterable, judgement))).toEqual([]);
  });
});
