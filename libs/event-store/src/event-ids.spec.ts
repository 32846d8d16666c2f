import { parseId, SystemRandomness } from '#kernel';

import { EventIds } from './event-ids.js';
import { streamName } from './event-store.js';

describe('EventIds', () => {
  const randomness = new SystemRandomness();
  const stream = streamName('session', randomness.uuid());

  it('are UUIDs of version 5', () => {
    const id = new EventIds(randomness).next(stream);
    expect(parseId(id)).toBe(id);
    expect(id[14]).toBe('5');
  });

  it('never come twice in one request', () => {
    const ids = new EventIds(randomness);
    const made = [ids.next(stream), ids.next(stream), ids.next(streamName('session', randomness.uuid()))];
    expect(new Set(made).size).toBe(3);
  });

  it('are never shared by two requests', () => {
    expect(new EventIds(randomness).next(stream)).not.toBe(new EventIds(randomness).next(stream));
  });
});
