import { beforeEach, describe, expect, it, jest } from '@jest/globals';

import { type EventStore, MARK_STREAM, MarkWriter, NO_STREAM } from '#engines/event-store';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { eventually } from '#testkit/kernel/eventually';
import { eventMacs } from '#service/platform';
import { authenticated, EVENT_RING } from '#testkit/event-store/authenticated';
import { STORE_ENGINES } from '#testkit/event-store/store-engines';

import { consumed } from './relay-rig.js';
import { metrics, rig, topic, useRelays } from './relay.fixture.js';

describe.each(STORE_ENGINES)('a relay over $engine whose stream of marks another party has attacked', ({ open }) => {
  useRelays();
  let raw: EventStore;
  let refusals: string[];
  beforeEach(async () => {
    refusals = [];
    await rig.store.close();
    raw = await open(rig.clock);
    // As the service opens it: the sessions of the rig are written to it too.
    rig.store = authenticated(raw, {
      macs: eventMacs(EVENT_RING, 'test'),
      shortened: (category) => (category === 'relay' ? 'truncated' : undefined),
    });
  });

  const newRelay = () => {
    const clock = new FixedClock();
    const refused = (reason: string): void => void refusals.push(reason);
    return rig.newRelay(rig.store, {}, new MarkWriter({ store: rig.store, clock, categories: ['session'], refused }));
  };

  it.each([
    ['appended to', () => raw.append(MARK_STREAM, NO_STREAM, [{ type: 'Marked', data: { at: 0, history: '' }, metadata: { v: 1 } }])],
    ['closed', () => raw.tombstone(MARK_STREAM)],
  ])('publishes all events, in one term: it was %s', async (_, attack) => {
    await attack();
    const terms = jest.spyOn(metrics.relayActive, 'set');
    const before = await rig.sessions(2);
    const { relay, stop } = rig.start(newRelay());
    await topic.until(6);
    await eventually(() => refusals.length === 1, { what: 'the alarm' });
    const after = await rig.sessions(2);
    await topic.until(12);
    expect(consumed(topic.messages)).toEqual(new Map([...before, ...after].map((id) => [id, 2])));
    await relay.check();
    expect(terms.mock.calls).toEqual([[1]]);
    expect(topic.messages).toHaveLength(12);
    await stop();
  });

  it('publishes all events also when the writer of marks fails otherwise', async () => {
    const { relay } = rig.start(rig.newRelay(rig.store, {}, { write: () => Promise.reject(new Error('a fault')) }));
    await rig.sessions(2);
    await topic.until(6);
    await relay.check();
  });
});
