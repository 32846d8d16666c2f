import { describe, expect, it } from '@jest/globals';

import { SqliteEventStore, streamName } from '#engines/event-store';
import { SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { Metrics, SilentLog } from '#telemetry';

import { collector } from '#testkit/message-bus/contract/fixture';
import { appendThing, ThingPublication } from '#testkit/message-bus/thing-publication';
import { EmbeddedMessageBus } from './embedded-message-bus.js';

const GROUPS = ['first', 'second', 'third'];

/** Three groups on one store, whose pauses end with the bus. */
const openBus = () => {
  const clock = new FixedClock();
  const eventStore = new SqliteEventStore({ path: ':memory:', clock });
  const pause = (_milliseconds: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => void signal.addEventListener('abort', () => resolve(), { once: true }));
  const bus = new EmbeddedMessageBus({
    eventStore,
    publications: [new ThingPublication(eventStore, 'things')],
    clock,
    randomness: new SystemRandomness(),
    log: new SilentLog(),
    metrics: new Metrics(),
    pause,
  });
  const stop = new AbortController();
  const groups = GROUPS.map((group) => {
    const { handler, until } = collector();
    return { until, done: bus.consume({ topic: 'things', group, types: ['thing.made', 'thing.moved'], handler, signal: stop.signal }).done };
  });
  const offsets = async (): Promise<readonly number[]> =>
    Promise.all(GROUPS.map(async (group) => (await eventStore.read(streamName('busoffset', `things.${group}`))).at(-1)?.revision ?? -1));
  return {
    eventStore,
    offsets,
    handled: (events: number) => Promise.all(groups.map(({ until }) => until(events))),
    stop: async () => {
      stop.abort();
      await Promise.all(groups.map(({ done }) => done));
    },
    close: () => eventStore.close(),
  };
};

describe('the offsets of the groups', () => {
  it('are committed once for all events of a pause, and never before it', async () => {
    const bus = openBus();
    for (const thing of ['a', 'b', 'c']) await appendThing(bus.eventStore, 'things', thing, 'Made');
    await bus.handled(3);
    expect(await bus.offsets()).toEqual([-1, -1, -1]);
    await bus.stop();
    expect(await bus.offsets()).toEqual([0, 0, 0]);
    await bus.close();
  });

  it('name the event itself, not its position alone', async () => {
    const bus = openBus();
    for (const thing of ['a', 'b']) await appendThing(bus.eventStore, 'things', thing, 'Made');
    await bus.handled(2);
    await bus.stop();
    const [last] = await bus.eventStore.read(streamName('things', 'b'));
    const offsets = await Promise.all(
      GROUPS.map(async (group) => (await bus.eventStore.read(streamName('busoffset', `things.${group}`))).at(-1)?.data),
    );
    expect(offsets).toEqual(GROUPS.map(() => ({ position: String(last?.position), id: last?.id, marks: [] })));
    await bus.close();
  });
});
