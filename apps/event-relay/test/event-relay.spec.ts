import { setTimeout as sleep } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { EventIds, EventStoreUnavailable, NO_STREAM, SqliteEventStore, streamName } from '#event-store';
import { FixedClock, SystemRandomness } from '#kernel';
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
let dying: AbortController[];
let running: { readonly leave: AbortController; readonly done: Promise<void> }[];

beforeEach(() => {
  clock = new FixedClock();
  store = new SqliteEventStore({ path: ':memory:', clock });
  topic = new TopicInMemory();
  metrics = new Metrics();
  running = [];
  dying = [];
});
afterEach(async () => {
  for (const leave of [...dying, ...running.map((one) => one.leave)]) leave.abort();
  await Promise.all(running.map(({ done }) => done));
  await store.close();
});

/** As if in a process of its own. */
const newRelay = () =>
  new EventRelay({ eventStore: store, publication: new SessionPublication(store), publisher: topic, clock, randomness, log, metrics }, { lease: LEASE, retry: 1, look: 5 });

const start = () => {
  const relay = newRelay();
  const leave = new AbortController();
  const one = { relay, leave, done: relay.run(leave.signal) };
  running.push(one);
  return {
    relay,
    stop: async () => {
      leave.abort();
      await one.done;
    },
  };
};

/** One that will hang in the middle of something for ever, as a dead one does. */
const startToDie = (): void => {
  const leave = new AbortController();
  void newRelay().run(leave.signal);
  dying.push(leave);
};

const created = { type: 'SessionCreated', data: { clientId: '11111111-1111-4111-8111-111111111111', signatureType: 'AUTHENTICATION', pushStatus: 'NOT_REQUESTED', sealed: '', at: 1_000, expiresAt: 121_000 } };
const cancelled = { type: 'SessionCancelled', data: { reason: 'DECLINED', at: 2_000 } };
const refused = { type: 'ScanRefused', data: { deviceId: 'device', at: 1_500 } };

type Fact = { readonly type: string; readonly data: Record<string, string | number> };

const append = async (sessionId: string, ...facts: readonly Fact[]): Promise<void> => {
  const stream = streamName('session', sessionId);
  const ids = new EventIds(randomness);
  const [last] = await store.read(stream, { direction: 'backwards', limit: 1 });
  await store.append(stream, last?.revision ?? NO_STREAM, facts.map((fact) => ({ ...fact, id: ids.next(stream) })));
};

const sessions = async (count: number): Promise<string[]> => {
  const ids = Array.from({ length: count }, () => randomness.uuid<string>());
  for (const id of ids) await append(id, created);
  for (const id of ids) await append(id, refused, cancelled);
  return ids;
};

/** What a consumer makes of the topic: repetitions dropped by revision. Fails when something is missing or out of order. */
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

const eventually = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await condition())) await sleep(1);
};

describe('a relay', () => {
  it('publishes what was stored, then what is being stored, each session in order and each event once', async () => {
    const before = await sessions(20);
    start();
    await topic.until(60);
    const after = await sessions(5);
    await topic.until(75);
    expect(topic.messages).toHaveLength(75);
    expect(consumed(topic.messages)).toEqual(new Map([...before, ...after].map((id) => [id, 2])));
  });

  it('moves its checkpoint only when the broker has acknowledged', async () => {
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

  it('goes on where it was stopped', async () => {
    await sessions(2);
    const first = start();
    await topic.until(6);
    await first.stop();
    await sessions(1);
    start();
    await topic.until(9);
    expect(topic.messages).toHaveLength(9);
  });

  it('lags while the broker is away, keeps its lease, and drains', async () => {
    const { relay } = start();
    await sessions(1);
    await topic.until(3);
    topic.away = true;
    await sessions(2);
    await eventually(async () => (await metrics.relayLag.get()).values[0]!.value > 0);
    await expect(relay.check()).rejects.toThrow('the broker is away');
    topic.away = false;
    await topic.until(9);
    await eventually(async () => (await metrics.relayLag.get()).values[0]!.value === 0);
    await expect(relay.check()).resolves.toBeUndefined();
    expect(consumed(topic.messages).size).toBe(3);
  });

  it('fills a lost topic again from the begin, whether something happens or not', async () => {
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

  it('notices at the first acknowledgement that somebody else has made the lost topic anew', async () => {
    const ids = await sessions(3);
    const first = start();
    await topic.until(9);
    await first.stop();
    topic.lose();
    await topic.prepare();
    jest.spyOn(topic, 'reach').mockResolvedValue({ 0: '9', 1: '9', 2: '9' }); // nobody has looked
    await append(ids[0]!, { type: 'CodeRedeemed', data: { at: 3_000 } });
    start();
    await eventually(() => topic.messages.length >= 10 && new Set(topic.messages).size === 10);
  });

  it('keeps events of a future type apart, and goes on', async () => {
    const [id] = (await sessions(1)) as [string];
    await append(id, { type: 'SessionFrozen', data: { at: 3_000 } });
    await sessions(1);
    start();
    await topic.until(6);
    expect(topic.messages).not.toContain(`${id}/3`);
    const letters = await new DeadLetterStream(store, randomness, { topic: 'sessions.events.v1', group: 'event-relay' }).all();
    expect(letters).toEqual([{ reason: 'SessionFrozen is no event that can be published', at: clock.now(), origin: `session-${id}, revision 3` }]);
  });

  it('passes over what was erased before it came to it', async () => {
    const [erased] = (await sessions(1)) as [string];
    await store.tombstone(streamName('session', erased));
    const [kept] = (await sessions(1)) as [string];
    start();
    await topic.until(3);
    expect([...consumed(topic.messages).keys()]).toEqual([kept]);
  });
});

describe('two relays', () => {
  it('are one that relays and one that stands by', async () => {
    start();
    start();
    await sessions(10);
    await topic.until(30);
    expect(topic.messages).toHaveLength(30);
  });

  it('are both ready again when the store was away', async () => {
    const active = start();
    await sessions(1);
    await topic.until(3);
    const standby = start();
    const away = jest.spyOn(store, 'read').mockRejectedValue(new EventStoreUnavailable('the store is away'));
    await eventually(async () => standby.relay.check().then(() => false, () => true));
    away.mockRestore();
    for (const { relay } of [active, standby]) await eventually(async () => relay.check().then(() => true, () => false));
  });

  it('change places at once when the active one is stopped', async () => {
    const first = start();
    await sessions(1);
    await topic.until(3);
    const second = start();
    await first.stop();
    await sessions(1);
    await topic.until(6);
    await expect(second.relay.check()).resolves.toBeUndefined();
  });

  it('change places when the active one has been silent for the time of its lease, and it stops when it sees that', async () => {
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
    frozen.resolve(); // it publishes what it had in hand, too late: a repetition
    await stale.stop();
    expect(await relayedPosition()).toBe(position);
    await sessions(1);
    await eventually(() => consumed(topic.messages).size === 3);
  });
});

describe('a relay that dies', () => {
  /** What a dead process does: nothing any more, in the middle of whatever it was doing. */
  const never = () => new Promise<never>(() => undefined);

  it.each(['before' as const, 'after' as const])('%s the broker stores a batch leaves nothing out, whichever batch it is', async (moment) => {
    const ids: string[] = [];
    for (let death = 0; death < 8; death += 1) {
      let dead = false;
      let publications = 0;
      topic.interrupt = async (now) => {
        if (now !== moment || publications++ < death % 3) return;
        dead = true;
        await never();
      };
      startToDie();
      while (!dead) ids.push(...(await sessions(1)));
      clock.advance(LEASE);
    }
    topic.interrupt = async () => undefined;
    start();
    await eventually(() => consumed(topic.messages).size === ids.length && [...consumed(topic.messages).values()].every((last) => last === 2));
  });
});
