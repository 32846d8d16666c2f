import { describe, expect, it } from '@jest/globals';

import type { StreamName } from '../event-store.js';
import { queueOrder } from './queue-order.js';

const sorted = (streams: readonly string[], categories: readonly string[]): readonly string[] =>
  (streams as readonly StreamName[]).toSorted(queueOrder(categories));

describe('the order of queues', () => {
  it('takes the given categories first, in their order, and all others by name', () => {
    const streams = ['client-1', 'audit-1', 'device-2', 'session-1', 'device-1', 'other-1'];
    expect(sorted(streams, ['session', 'device'])).toEqual(['session-1', 'device-1', 'device-2', 'audit-1', 'client-1', 'other-1']);
  });

  it('is the same for every work: no two streams are equal in it', () => {
    const streams = ['a-2', 'b-1', 'a-1', 'c-1'] as StreamName[];
    const compare = queueOrder(['b']);
    for (const one of streams)
      for (const other of streams) {
        expect(compare(one, other) === 0).toBe(one === other);
        expect(compare(one, other) < 0).toBe(compare(other, one) > 0);
      }
    expect(sorted(streams.toReversed(), ['b'])).toEqual(sorted(streams, ['b']));
    expect(sorted(streams, [])).toEqual(['a-1', 'a-2', 'b-1', 'c-1']);
  });
});
