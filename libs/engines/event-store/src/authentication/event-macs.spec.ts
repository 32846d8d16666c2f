import type { EventId } from '#kernel';

import { type RecordedEvent, streamName } from '../event-store.js';
import { EVENT_RING } from '#testkit/event-store/authenticated';
import { BEGIN, EventMacs, keyOfMac, linkOf, linkTo } from './event-macs.js';

const stream = streamName('device', 'one');
const covered = { stream, revision: 3, id: '00000000-0000-4000-8000-000000000003', type: 'PinAccepted', data: '{"at":1}', metadata: '{"v":1}' };
/** Not changed by a release: the MACs of stored events would be wrong. */
const MAC = 'BWV2ZW50AAAAAAAAAAAAAAAAAAAAABE9B0O4bf0kJ4phnO66gDfSBIl8Aok4syIAQymUoT6g';
const macs = new EventMacs(EVENT_RING, 'test');
const recorded = (metadata?: RecordedEvent['metadata']): RecordedEvent => ({
  stream,
  revision: 3,
  position: 4n,
  id: covered.id as EventId,
  type: covered.type,
  data: { at: 1 },
  ...(metadata && { metadata }),
});

describe('the MAC of an event', () => {
  it('is the same in every release', () => {
    const { mac, parts } = macs.make(covered, BEGIN);
    expect(mac).toBe(MAC);
    expect(linkTo(recorded({ v: 1, mac }))).toBe(parts.next);
    expect(macs.refusal(recorded({ v: 1, mac }))).toBeUndefined();
  });

  it('names no event without one', () => {
    expect(linkTo(recorded({ v: 1 }))).toBeUndefined();
    expect(linkOf(recorded({ v: 1 }))).toBeUndefined();
  });

  it('is missing where an event has no metadata at all', () => {
    expect(macs.refusal(recorded())).toBe('unsigned');
    expect(linkOf(recorded())).toBeUndefined();
  });

  it('names its key', () => {
    expect(keyOfMac(MAC)).toBe('event');
  });

  it.each(['', '!', 'AA', MAC.slice(0, -4), `${MAC}AAAA`])('is none: %p', (mac) => {
    expect(keyOfMac(mac)).toBeUndefined();
    expect(macs.refusal(recorded({ v: 1, mac }))).toBe('forged');
  });
});
