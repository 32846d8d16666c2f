import type { EventId } from '#kernel';

import { type ReadOptions, type RecordedEvent, streamName } from '../event-store.js';
import { EVENT_RING } from '#testkit/event-store/authenticated';
import { checkChain, type Shortening } from './event-chain.js';
import { BEGIN, EventMacs, EXPIRED, type Link, linkTo } from './event-macs.js';

const macs = new EventMacs(EVENT_RING, 'test');
const stream = streamName('device', 'one');
type Placed = RecordedEvent & { readonly position: bigint };

const unsigned = (revision: number, position = BigInt(revision)): Placed => ({
  stream,
  revision,
  position,
  id: `00000000-0000-4000-8000-00000000000${revision}` as EventId,
  type: 'PinAccepted',
  data: { revision },
  metadata: { v: 1 },
});
const signed = (revision: number, link: Link, position?: bigint): Placed => {
  const event = unsigned(revision, position);
  const covered = { ...event, data: JSON.stringify(event.data), metadata: { v: 1 } };
  return { ...event, metadata: { v: 1, mac: macs.make(covered, link).mac } };
};
const nameOf = (event: RecordedEvent): Link => linkTo(event) ?? BEGIN;
const [zero, two, three] = [signed(0, BEGIN), signed(2, EXPIRED), signed(3, EXPIRED)];
const one = signed(1, nameOf(zero));
const chain = [zero, one, signed(2, nameOf(one))];

const broken = (events: readonly RecordedEvent[], options: ReadOptions = {}, shortening?: Shortening) => checkChain(events, options, shortening);

describe('a chain of events', () => {
  it('is whole when each event names the one before it, in either direction', () => {
    expect(broken(chain)).toBeUndefined();
    expect(broken(chain.toReversed(), { direction: 'backwards' })).toBeUndefined();
    expect(broken(chain.toReversed().slice(0, 2), { direction: 'backwards', limit: 2 })).toBeUndefined();
  });

  it.each(['forwards', 'backwards'] as const)('is whole without events, read %s', (direction) => {
    expect(broken([], { direction })).toBeUndefined();
  });

  it('begins where the read begins, unless the stream loses events from its begin', () => {
    expect(broken(chain.slice(1))).toBe(1);
    expect(broken(chain.slice(1), { from: 1 })).toBeUndefined();
    expect(broken(chain.slice(2), { from: 1 })).toBe(2);
    for (const shortening of ['truncated', 'aged'] as const) expect(broken(chain.slice(1), {}, shortening)).toBeUndefined();
  });

  it.each(['forwards', 'backwards'] as const)('has no event before revision 0, read %s', (direction) => {
    expect(broken([signed(0, nameOf(one))], { direction })).toBe(0);
    expect(broken([signed(0, EXPIRED)], { direction })).toBe(0);
    expect(broken([unsigned(0)], { direction })).toBe(0);
  });

  it.each([0n, -1n])('does not go back in position (%s)', (position) => {
    expect(broken([zero, signed(1, nameOf(zero), position)])).toBe(1);
  });

  it('names another event than the one before it: refused', () => {
    expect(broken([zero, signed(1, nameOf(three))])).toBe(1);
    expect(broken([zero, signed(1, BEGIN)])).toBe(1);
  });

  it('goes on after an event that had expired', () => {
    expect(broken([zero, signed(1, EXPIRED)])).toBeUndefined();
  });

  it('does not go on with events without a MAC', () => {
    expect(broken([zero, unsigned(1)])).toBe(1);
    expect(broken([unsigned(1), unsigned(2)], { from: 1 })).toBe(2);
  });

  it('has a gap only where events expire by their age, and never goes back', () => {
    expect(broken([zero, two])).toBe(2);
    expect(broken([zero, two], {}, 'truncated')).toBe(2);
    expect(broken([zero, two], {}, 'aged')).toBeUndefined();
    for (const revision of [0, 1]) expect(broken([one, signed(revision, EXPIRED, 9n)], {}, 'aged')).toBe(revision);
  });
});
