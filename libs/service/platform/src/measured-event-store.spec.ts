import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { NO_STREAM, SqliteEventStore, streamName } from '#engines/event-store';
import { SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { Metrics } from '#telemetry';

import { MeasuredEventStore } from './measured-event-store.js';

const event = (type: string) => ({ type, data: {}, metadata: { v: 2, signatureType: 'AUTHENTICATION' } });

describe('the steps of sessions that a store counts', () => {
  let store: MeasuredEventStore;
  let metrics: Metrics;
  beforeEach(() => {
    const clock = new FixedClock();
    metrics = new Metrics();
    store = new MeasuredEventStore(new SqliteEventStore({ path: ':memory:', clock }), { clock, metrics });
  });
  afterEach(() => store.close());

  const newSession = () => streamName('session', new SystemRandomness().uuid());
  const steps = async () => Object.fromEntries((await metrics.sessionSteps.get()).values.map(({ labels, value }) => [labels.step, value]));

  it('are those of each append, also of one to several streams', async () => {
    const [one, other] = [newSession(), newSession()];
    await store.append(one, NO_STREAM, [event('SessionCreated')]);
    await store.appendTogether([
      { stream: one, expected: 0, events: [event('SessionScanned')] },
      { stream: other, expected: NO_STREAM, events: [event('SessionCreated')] },
    ]);
    expect(await steps()).toEqual({ created: 2, scanned: 1 });
  });

  it('are counted once when an append is repeated, as a whole or in part', async () => {
    const stream = newSession();
    const events = [event('SessionScanned'), event('SessionConfirmed')];
    const { ids } = await store.append(stream, NO_STREAM, events);
    expect(await store.append(stream, NO_STREAM, events, { ids })).toMatchObject({ revision: 1 });
    await store.append(stream, NO_STREAM, events.slice(0, 1), { ids: ids.slice(0, 1) });
    expect(await steps()).toEqual({ scanned: 1, confirmed: 1 });
  });

  it('are not counted of an append that is refused', async () => {
    const stream = newSession();
    await store.append(stream, NO_STREAM, [event('SessionCreated')]);
    await expect(store.append(stream, NO_STREAM, [event('SessionCreated')])).rejects.toMatchObject({ name: 'WrongExpectedRevision' });
    expect(await steps()).toEqual({ created: 1 });
  });
});
