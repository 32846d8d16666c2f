import { describe, expect, it, jest } from '@jest/globals';

import { type EventStore, history, NO_STREAM, type RecordedEvent, SqliteEventStore, streamName, SubscriptionRefused } from '#engines/event-store';
import { eventually } from '#testkit/kernel/eventually';

import { consumed } from './relay-rig.js';
import { rig, topic, metrics, useRelays } from './relay.fixture.js';

useRelays();

describe('a relay over a store that was restored from an older copy', () => {
  /** The copy of a store at this moment: the same events under the same ids at the same positions. */
  const copyOf = async (original: EventStore): Promise<SqliteEventStore> => {
    const copy = new SqliteEventStore({ path: ':memory:', clock: rig.clock });
    const events: RecordedEvent[] = [];
    for await (const event of history(original, ['session', 'relay'])) events.push(event);
    for (const { stream, revision, type, data, metadata, id } of events)
      await copy.append(stream, revision === 0 ? NO_STREAM : revision - 1, [{ type, data, ...(metadata && { metadata }) }], { ids: [id] });
    return copy;
  };
  /** A store that is replaced under its users. */
  const replaceable = (current: { store: EventStore }): EventStore =>
    new Proxy(current.store, {
      get: (_target, name) => {
        const member: unknown = Reflect.get(current.store, name);
        return typeof member === 'function' ? member.bind(current.store) : member;
      },
    });
  const lacking = async (): Promise<number> => (await metrics.relayLackingEvents.get()).values[0]!.value;

  it('continues from the checkpoint in the copy, publishes new events, and counts those that the topic has and the copy lacks', async () => {
    const [kept] = (await rig.sessions(1)) as [string];
    const current = { store: rig.store as EventStore };
    const { relay } = rig.start(rig.newRelay(replaceable(current)));
    await eventually(async () => (await rig.relayedPosition()) >= (await rig.positionOf(kept)));
    const copy = await copyOf(rig.store);
    const lost = await rig.sessions(2);
    await eventually(async () => (await rig.relayedPosition()) >= (await rig.positionOf(lost[1]!)));
    const original = rig.store;
    [rig.store, current.store] = [copy, copy];
    const [fresh] = (await rig.sessions(1)) as [string];
    await eventually(() => topic.messages.includes(`${fresh}/2`));
    await eventually(async () => (await lacking()) === 6);
    expect(consumed(topic.messages)).toEqual(new Map([kept, ...lost, fresh].map((id) => [id, 2])));
    await relay.check();
    await original.close();
  });

  it('counts them also when it starts after the restoration, but no session that was erased', async () => {
    await rig.sessions(1);
    const first = rig.start();
    await topic.until(3);
    await first.stop();
    const copy = await copyOf(rig.store);
    const [erased] = (await rig.sessions(2)) as [string];
    const second = rig.start();
    await topic.until(9);
    await second.stop();
    await rig.store.close();
    rig.store = copy;
    await rig.store.tombstone(streamName('session', erased));
    rig.start();
    await eventually(async () => (await lacking()) > 0);
    expect(await lacking()).toBe(3);
  });

  it('publishes everything again when the copy does not know the checkpoint', async () => {
    const ids = await rig.sessions(2);
    const first = rig.start();
    await topic.until(6);
    await first.stop();
    const subscribe = jest.spyOn(rig.store, 'subscribe').mockImplementationOnce(async function* () {
      throw new SubscriptionRefused(['session'], 'position');
    });
    const { relay } = rig.start();
    await topic.until(12);
    expect(consumed(topic.messages)).toEqual(new Map(ids.map((id) => [id, 2])));
    expect(subscribe).toHaveBeenCalledTimes(3); // the refused one, the live events, and the refill
    expect((await metrics.relayRefills.get()).values[0]!.value).toBe(1);
    await relay.check();
  });
});
