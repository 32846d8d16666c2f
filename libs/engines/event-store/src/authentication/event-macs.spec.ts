import type { EventId } from '#kernel';

import { type RecordedEvent, streamName } from '../event-store.js';
import { EVENT_RING, eventMacs } from '#testkit/event-store/authenticated';
import { BEGIN, EventMacs, keyOfMac, linkOf, linkTo } from './event-macs.js';

const stream = streamName('device', 'one');
const METADATA = { v: 1, traceparent: '00-a', status: 'PENDING' };
const covered = { stream, revision: 3, id: '00000000-0000-4000-8000-000000000003', type: 'PinAccepted', data: '{"at":1}', metadata: METADATA };
/** Computed by Python's hmac. Not changed by a release: the MACs of stored events would be wrong. */
const MAC = 'BWV2ZW50AAAAAAAAAAAAAAAAAAAAADTdZi8tgEogLx880OSv5Lr7qus75ZLQnp2mpL19R5O6';
const macs = eventMacs();
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
    expect(linkTo(recorded({ ...METADATA, mac }))).toBe(parts.next);
    expect(macs.refusal(recorded({ ...METADATA, mac }))).toBeUndefined();
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

describe('the MAC of an event of a stream that services of every environment read', () => {
  const macsOf = (environment: string, ...across: string[]) => new EventMacs(EVENT_RING, environment, ['status'], new Set(across));
  const read = (mac: string): RecordedEvent => recorded({ ...METADATA, mac });
  const { mac } = macsOf('production', 'device').make(covered, BEGIN);

  it('is right in another environment', () => {
    expect(macsOf('staging', 'device').refusal(read(mac))).toBeUndefined();
  });

  it('is forged where the stream belongs to one environment, and the reverse', () => {
    for (const environment of ['production', 'staging', 'event of any environment', ''])
      expect(macsOf(environment, 'session').refusal(read(mac))).toBe('forged');
    expect(macsOf('production', 'device').refusal(read(macsOf('production', 'session').make(covered, BEGIN).mac))).toBe('forged');
  });
});
