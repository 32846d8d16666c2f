import { type EventStore, type MarkWriter, NO_STREAM, SqliteEventStore, streamName, UnitOfWork } from '#engines/event-store';
import { SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { SESSION_EVENTS_TOPIC, SessionPublication } from '#domain/session';
import { STORED_CREATION } from '#testkit/session/stored-creation';
import { Metrics, SilentLog } from '#telemetry';
import { enveloped } from '#testkit/session/enveloped';

import { EventRelay } from '../src/event-relay.js';
import type { RelayTimes } from '../src/relay-times.js';
import type { RelayState } from '../src/relay.decider.js';
import { TopicInMemory } from './topic-in-memory.js';

export const LEASE = 15_000;
export const HORIZON = 3_600_000;
/** Longer than any test: only the start and the end of a relay append. */
export const NEVER = 3_600_000;

export const created = STORED_CREATION;
export const refused = { type: 'ScanRefused', data: { deviceId: 'device', at: 1_500 } };
export const cancelled = { type: 'SessionCancelled', data: { reason: 'DECLINED', at: 2_000 } };

type TestEvent = { readonly type: string; readonly data: Record<string, string | number> };

/** Relays that share nothing but a store and a topic, like those of several processes. */
export class RelayRig {
  readonly clock = new FixedClock();
  readonly randomness = new SystemRandomness();
  readonly topic = new TopicInMemory();
  readonly metrics = new Metrics();
  store: EventStore = new SqliteEventStore({ path: ':memory:', clock: this.clock });
  readonly #dead: AbortController[] = [];
  readonly #running: { readonly stopping: AbortController; readonly done: Promise<void> }[] = [];

  newRelay(eventStore: EventStore = this.store, times: Partial<RelayTimes> = {}, markWriter?: Pick<MarkWriter, 'write'>): EventRelay {
    const { clock, randomness, topic: publisher, metrics } = this;
    const publication = new SessionPublication(eventStore);
    const parts = { eventStore, unitOfWork: new UnitOfWork(eventStore, clock), publication, publisher, clock, randomness };
    return new EventRelay(
      { ...parts, log: new SilentLog(), metrics, ...(markWriter && { markWriter }) },
      { lease: LEASE, horizon: HORIZON, checkpoint: 5, retry: 1, topicCheck: 5, pace: 0, count: NEVER, ...times },
    );
  }

  start(relay = this.newRelay()) {
    const stopping = new AbortController();
    const done = relay.run(stopping.signal);
    this.#running.push({ stopping, done });
    return {
      relay,
      stop: async () => {
        stopping.abort();
        await done;
      },
    };
  }

  /** Starts a relay that hangs for ever where the topic interrupts it, like a process that was killed there: it appends nothing from then on. */
  startToDie(isDead: () => boolean): void {
    const stopping = new AbortController();
    const mortal = new Proxy(this.store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) =>
          name === 'append' && isDead() ? new Promise<never>(() => undefined) : (member.apply(target, args) as unknown);
      },
    });
    void this.newRelay(mortal).run(stopping.signal);
    this.#dead.push(stopping);
  }

  async append(sessionId: string, ...events: readonly TestEvent[]): Promise<void> {
    const stream = streamName('session', sessionId);
    const before = await this.store.read(stream);
    await this.store.append(stream, before.at(-1)?.revision ?? NO_STREAM, enveloped(events, before));
  }

  /** Interleaved sessions of three events each. */
  async sessions(count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, () => this.randomness.uuid<string>());
    for (const id of ids) await this.append(id, created);
    for (const id of ids) await this.append(id, refused, cancelled);
    return ids;
  }

  /** The checkpoint as it is stored. */
  async checkpoint(): Promise<Partial<RelayState>> {
    const [last] = await this.store.read(streamName('relay', SESSION_EVENTS_TOPIC), { direction: 'backwards', limit: 1 });
    return (last?.data ?? {}) as Partial<RelayState>;
  }

  async relayedPosition(): Promise<bigint> {
    return BigInt((await this.checkpoint()).position ?? '0');
  }

  async positionOf(sessionId: string): Promise<bigint> {
    return (await this.store.read(streamName('session', sessionId))).at(-1)!.position;
  }

  async close(): Promise<void> {
    for (const stopping of [...this.#dead, ...this.#running.map((one) => one.stopping)]) stopping.abort();
    await Promise.all(this.#running.map(({ done }) => done));
    await this.store.close();
  }
}

/** The last revision of each session after a consumer dropped repetitions. Throws when an event is missing or out of order. */
export const consumed = (messages: readonly string[]): Map<string, number> => {
  const last = new Map<string, number>();
  for (const [subject = '', revision] of messages.map((name) => name.split('/'))) {
    const before = last.get(subject) ?? -1;
    if (Number(revision) > before + 1) throw new Error(`${subject} jumps from ${before} to ${revision}`);
    last.set(subject, Math.max(before, Number(revision)));
  }
  return last;
};
