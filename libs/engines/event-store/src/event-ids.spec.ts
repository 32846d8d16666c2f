import { parseId, SystemRandomness } from '#kernel';

import { newEventIds } from './event-ids.js';
import { streamName } from './event-store.js';

describe('newEventIds', () => {
  const randomness = new SystemRandomness();
  const stream = streamName('session', randomness.uuid());

  it('makes UUIDs of version 5', () => {
    const [id] = newEventIds(randomness, stream, 1);
    expect(parseId(id)).toBe(id);
    expect(id?.[14]).toBe('5');
  });

  it('gives each event of an append an id of its own', () => {
    expect(new Set(newEventIds(randomness, stream, 3)).size).toBe(3);
  });

  it('never gives two appends the same id', () => {
    expect(newEventIds(randomness, stream, 1)).not.toEqual(newEventIds(randomness, stream, 1));
  });
});
