import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import {
  type EventStore,
  EventStoreUnavailable,
  history,
  NO_STREAM,
  type RecordedEvent,
  SqliteEventStore,
  streamName,
  SubscriptionRefused,
} from '#event-store';
import { FixedClock, SystemRandomness } from '#kernel';
import { eventually } from '#kernel/testing';
import { DeadLetterStream } from '#message-bus';
import { SessionPublication } from '#session';
import { Metrics, SilentLog } from '#telemetry';

import { EventRelay } from '../src/event-relay.js';
import { TopicInMemory } from './topic-in-memory.js';

const LEASE = 15_000;
const randomness = new SystemRandomness();
const log = new SilentLog();

let clock: FixedClock;
let store: SqliteEventStore;
let topic: TopicInMemory;
let metrics: Metrics;
let dead: AbortController[];
let running: { readonly stopping: AbortController; readonly done: Promise<void> }[];

beforeEach(() => {
  clock = new FixedClock();
  store = new SqliteEventStore({ path: ':memory:', clock });
  topic = new TopicInMemory();
  metrics = new Metrics();
  running = [];
  dead = [];
});
afterEach(async () => {
  for (const stopping of [...dead, ...running.map((one) => one.stopping)]) stopping.abort();
  await Promise.all(running.map(({ done }) => done));
  await store.close();
});

/** A relay that shares nothing but the store with the others, like one in another process. */
const newRelay = (eventStore: EventStore = store, lease = LEASE) =>
  new EventRelay(
    { eventStore, publication: new SessionPublication(eventStore, clock), publisher: topic, clock, randomness, log, metrics },
    { lease, retry: 1, topicCheck: 5 },
  );

const start = (relay = newRelay()) => {
  const stopping = new AbortController();
  const one = { relay, stopping, done: relay.run(stopping.signal) };
  running.push(one);
  return {
    relay,
    stop: async () => {
      stopping.abort();
      await one.done;
    },
  };
};

/** Starts a relay that will hang for ever where the topic interrupts it, like a process that was killed there. */
const startToDie = (): void => {
  const stopping = new AbortController();
  void newRelay().run(stopping.signal);
  dead.push(stopping);
};

const created = {
  type: 'SessionCreated',
  data: {
    clientId: '11111111-1111-4111-8111-111111111111',
    signatureType: 'AUTHENTICATION',
    pushStatus: 'NOT_REQUESTED',
    sealed: '',
    at: 1_000,
    expiresAt: 121_000,
  },
};
const cancelled = { type: 'SessionCancelled', data: { reason: 'DECLINED', at: 2_000 } };
const refused = { type: 'ScanRefused', data: { deviceId: 'device', at: 1_500 } };

const ENVELOPE = { v: 2, clientId: created.data.clientId, signatureType: 'AUTHENTICATION' };

type TestEvent = { readonly type: string; readonly data: Record<string, string | number> };

const append = async (sessionId: string, ...events: readonly TestEvent[]): Promise<void> => {
  const stream = streamName('session', sessionId);
  const [last] = await store.read(stream, { direction: 'backwards', limit: 1 });
  await store.append(stream, last?.revision ?? NO_STREAM, events);
};

const sessions = async (count: number): Promise<string[]> => {
  const ids = Array.from({ length: count }, () => randomness.uuid<string>());
  for (const id of ids) await append(id, created);
  for (const id of ids) await append(id, refused, cancelled);
  return ids;
};

/** The last revision of each session after a consumer dropped repetitions. Throws when an event is missing or out of order. */
const consumed = (messages: readonly string[]): Map<string, number> => {
  const last = new Map<string, number>();
  for (const [subject = '', revision] of messages.map((name) => name.split('/'))) {
    const before = last.get(subject) ?? -1;
    if (Number(revision) > before + 1) throw new Error(`${subject} jumps from ${before} to ${revision}`);
    last.set(subject, Math.max(before, Number(revision)));
  }
  return last;
};

const relayedPosition = async (): Promise<bigint> => {
  const [last] = await store.read(streamName('relay', 'sessions.events.v1'), { direction: 'backwards', limit: 1 });
  return BigInt((last?.data['position'] as string | undefined) ?? '0');
};

const positionOf = async (sessionId: string): Promise<bigint> => (await store.read(streamName('session', sessionId))).at(-1)!.position;

describe('a relay', () => {
  it('publishes stored events, then new ones, each session in order and each event once', async () => {
    const before = await sessions(20);
    start();
    await topic.until(60);
    const after = await sessions(5);
    await topic.until(75);
    expect(topic.messages).toHaveLength(75);
    expect(consumed(topic.messages)).toEqual(new Map([...before, ...after].map((id) => [id, 2])));
  });

  it('reads nothing of a session: each event tells all that its message holds', async () => {
    const subscribed = jest.spyOn(store, 'subscribe');
    start();
    await eventually(() => subscribed.mock.calls.length > 0);
    const read = jest.spyOn(store, 'read');
    const SESSIONS = 50;
    for (let count = 0; count < SESSIONS; count += 1) {
      const events = [created, refused, cancelled].map((event, index) => ({
        ...event,
        metadata: { ...ENVELOPE, status: index < 2 ? 'PENDING' : 'CANCELLED' },
      }));
      await store.append(streamName('session', randomness.uuid()), NO_STREAM, events);
    }
    await topic.until(3 * SESSIONS);
    expect(read.mock.calls.filter(([stream]) => stream.startsWith('session-'))).toEqual([]);
  });

  it('moves its checkpoint only after the acknowledgement of the broker', async () => {
    const held = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    topic.interrupt = async (moment) => {
      if (moment === 'before') return;
      reached.resolve();
      await held.promise;
    };
    const [id] = (await sessions(1)) as [string];
    start();
    await reached.promise;
    expect(await relayedPosition()).toBe(0n);
    held.resolve();
    await eventually(async () => (await relayedPosition()) === (await positionOf(id)));
  });

  it('continues after a stop at its checkpoint', async () => {
    await sessions(2);
    const first = start();
    await topic.until(6);
    await first.stop();
    await sessions(1);
    start();
    await topic.until(9);
    expect(topic.messages).toHaveLength(9);
  });

  it('lags while the broker is unavailable, keeps its lease, and catches up', async () => {
    const { relay } = start();
    await sessions(1);
    await topic.until(3);
    topic.unavailable = true;
    await sessions(2);
    await eventually(async () => (await metrics.relayLag.get()).values[0]!.value > 0);
    await expect(relay.check()).rejects.toThrow('the broker is unavailable');
    topic.unavailable = false;
    await topic.until(9);
    await eventually(async () => (await metrics.relayLag.get()).values[0]!.value === 0);
    await expect(relay.check()).resolves.toBeUndefined();
    expect(consumed(topic.messages).size).toBe(3);
  });

  it('publishes everything again to a lost topic, with and without new events', async () => {
    start();
    const ids = await sessions(3);
    await topic.until(9);
    await eventually(async () => (await relayedPosition()) >= (await positionOf(ids[2]!)));
    topic.lose();
    await topic.until(9);
    expect(consumed(topic.messages)).toEqual(new Map(ids.map((id) => [id, 2])));
    topic.lose();
    await sessions(1);
    await eventually(() => topic.messages.length >= 12 && consumed(topic.messages).size === 4);
    expect((await metrics.relayRefills.get()).values[0]!.value).toBe(2);
  });

  it('notices at the first acknowledgement that another process has created the lost topic again', async () => {
    const ids = await sessions(3);
    const first = start();
    await topic.until(9);
    await first.stop();
    topic.lose();
    await topic.prepare();
    jest.spyOn(topic, 'reach').mockResolvedValue({ 0: '9', 1: '9', 2: '9' }); // the check before publishing finds nothing
    await append(ids[0]!, { type: 'CodeRedeemed', data: { at: 3_000 } });
    start();
    await eventually(() => topic.messages.length >= 10 && new Set(topic.messages).size === 10);
  });

  it('puts events of an unknown type to the dead letters and continues', async () => {
    const [id] = (await sessions(1)) as [string];
    await append(id, { type: 'SessionFrozen', data: { at: 3_000 } });
    await sessions(1);
    start();
    await topic.until(6);
    expect(topic.messages).not.toContain(`${id}/3`);
    const letters = await new DeadLetterStream(store, clock, { topic: 'sessions.events.v1', group: 'event-relay' }).all();
    const letter = { reason: 'events of type SessionFrozen cannot be published', at: clock.now(), origin: `session-${id}, revision 3` };
    expect(letters).toEqual([{ ...letter, source: { subject: id, esrevision: 3 } }]);
  });

  it('skips sessions that were erased before it published them', async () => {
    const [erased] = (await sessions(1)) as [string];
    await store.tombstone(streamName('session', erased));
    const [kept] = (await sessions(1)) as [string];
    start();
    await topic.until(3);
    expect([...consumed(topic.messages).keys()]).toEqual([kept]);
  });
});

describe('two relays', () => {
  it('publish each event once: one is active, the other on standby', async () => {
    start();
    start();
    await sessions(10);
    await topic.until(30);
    expect(topic.messages).toHaveLength(30);
  });

  it('are both ready again after the store was unavailable', async () => {
    const active = start();
    await sessions(1);
    await topic.until(3);
    const standby = start();
    const unavailable = jest.spyOn(store, 'read').mockRejectedValue(new EventStoreUnavailable('the store is unavailable'));
    await eventually(async () =>
      standby.relay.check().then(
        () => false,
        () => true,
      ),
    );
    unavailable.mockRestore();
    for (const { relay } of [active, standby])
      await eventually(async () =>
        relay.check().then(
          () => true,
          () => false,
        ),
      );
  });

  it('hand over at once when the active one is stopped', async () => {
    const first = start();
    await sessions(1);
    await topic.until(3);
    const second = start();
    await first.stop();
    await sessions(1);
    await topic.until(6);
    await expect(second.relay.check()).resolves.toBeUndefined();
  });

  it('hand over when the active one is silent for the time of its lease; it stops when it notices', async () => {
    const frozen = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    let calls = 0;
    topic.interrupt = async (moment) => {
      calls += 1;
      if (moment === 'after' || calls > 1) return;
      reached.resolve();
      await frozen.promise;
    };
    const stale = start();
    await sessions(1);
    await reached.promise;
    clock.advance(LEASE);
    start();
    await sessions(1);
    await eventually(() => consumed(topic.messages).size === 2);
    const position = await relayedPosition();
    frozen.resolve(); // it publishes its batch too late: a repetition
    await stale.stop();
    expect(await relayedPosition()).toBe(position);
    await sessions(1);
    await eventually(() => consumed(topic.messages).size === 3);
  });
});

describe('a relay that dies', () => {
  const never = () => new Promise<never>(() => undefined);

  it.each(['before' as const, 'after' as const])('%s the broker stores a batch skips no event, whichever batch it is', async (moment) => {
    const ids: string[] = [];
    for (let death = 0; death < 8; death += 1) {
      let hangs = false;
      let publications = 0;
      topic.interrupt = async (now) => {
        if (now !== moment || publications++ < death % 3) return;
        hangs = true;
        await never();
      };
      startToDie();
      while (!hangs) ids.push(...(await sessions(1)));
      clock.advance(LEASE);
    }
    topic.interrupt = async () => undefined;
    start();
    await eventually(() => consumed(topic.messages).size === ids.length && [...consumed(topic.messages).values()].every((last) => last === 2));
  });
});

describe('a relay over a store that was restored from an older copy', () => {
  /** The copy of a store at this moment: the same events under the same ids at the same positions. */
  const copyOf = async (original: EventStore): Promise<SqliteEventStore> => {
    const copy = new SqliteEventStore({ path: ':memory:', clock });
    const events: RecordedEvent[] = [];
    for await (const event of history(original, ['session', 'relay'])) events.push(event);
    for (const { stream, revision, type, data, id } of events)
      await copy.append(stream, revision === 0 ? NO_STREAM : revision - 1, [{ type, data }], { ids: [id] });
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
    const [kept] = (await sessions(1)) as [string];
    const current = { store: store as EventStore };
    const { relay } = start(newRelay(replaceable(current), 30));
    await eventually(async () => (await relayedPosition()) >= (await positionOf(kept)));
    const copy = await copyOf(store);
    const lost = await sessions(2);
    await eventually(async () => (await relayedPosition()) >= (await positionOf(lost[1]!)));
    const original = store;
    [store, current.store] = [copy, copy];
    const [fresh] = (await sessions(1)) as [string];
    await eventually(() => topic.messages.includes(`${fresh}/2`));
    await eventually(async () => (await lacking()) === 6);
    expect(consumed(topic.messages)).toEqual(new Map([kept, ...lost, fresh].map((id) => [id, 2])));
    await relay.check();
    await original.close();
  });

  it('counts them also when it starts after the restoration, but no session that was erased', async () => {
    await sessions(1);
    const first = start();
    await topic.until(3);
    await first.stop();
    const copy = await copyOf(store);
    const [erased] = (await sessions(2)) as [string];
    const second = start();
    await topic.until(9);
    await second.stop();
    await store.close();
    store = copy;
    await store.tombstone(streamName('session', erased));
    start();
    await eventually(async () => (await lacking()) > 0);
    expect(await lacking()).toBe(3);
  });

  it('publishes everything again when the copy does not know the checkpoint', async () => {
    const ids = await sessions(2);
    const first = start();
    await topic.until(6);
    await first.stop();
    const subscribe = jest.spyOn(store, 'subscribe').mockImplementationOnce(async function* () {
      throw new SubscriptionRefused(['session'], 'position');
    });
    const { relay } = start();
    await topic.until(12);
    expect(consumed(topic.messages)).toEqual(new Map(ids.map((id) => [id, 2])));
    expect(subscribe).toHaveBeenCalledTimes(2);
    expect((await metrics.relayRefills.get()).values[0]!.value).toBe(1);
    await relay.check();
  });
});
