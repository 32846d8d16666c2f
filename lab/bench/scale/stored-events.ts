import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { type EventStore, type Position, type RecordedEvent, streamName, UnitOfWork } from '#engines/event-store';
import { type ClientId, type Clock, type IdentityId, type SessionId, SystemClock, SystemRandomness } from '#kernel';
import { type CloudEvent, MessagePublisher, type TopicReach } from '#engines/message-bus';
import { openDataDirectory } from '#testkit/platform/open-data-directory';
import { SessionPublication } from '#domain/session';
import { storeFinishedSessions } from '#testkit/session/finished-sessions';
import { Metrics, SilentLog } from '#telemetry';

import { EventRelay } from '../../../apps/event-relay/src/event-relay.js';
import { Lease } from '../../../apps/event-relay/src/lease.js';
import { relayTimes } from '../../../apps/event-relay/src/relay-times.js';
import { costsBeside } from './costs-beside.js';
import { copySessions } from './sqlite/copies.js';
import type { Costs } from './growth.js';
import { readUpTo, writeRows } from './sqlite/read-state.js';
import { MeasuredService } from './service.js';

/** Of a login as the generator stores it. */
const EVENTS_PER_SESSION = 5;
const CLIENTS = 100;
const PERSONS = 10_000;
/** At the rate of 10⁷ logins a day, so that the newest sessions are minutes old. */
const EVERY = 8;
/** Events that the relay publishes, and sessions that are deleted, for one number. */
const RELAYED_SESSIONS = 4_000;
const DELETED = 2_000;
/** Sessions that the generator stores one by one; the others are copies of them. */
const GENERATED = 100_000;

/** The cost of each path over a store that holds so many events, all of which the consumers and the read models have read. */
export const overStoredEvents = (events: number): Promise<Costs> =>
  costsBeside(async (directory) => {
    // The first start makes the tables of the read models.
    await (await MeasuredService.open(directory)).stop();
    return fill(directory, Math.round(events / EVENTS_PER_SESSION));
  });

const fill = async (directory: string, count: number): Promise<Costs> => {
  const path = join(directory, 'countersign.sqlite');
  const [clock, randomness] = [new SystemClock(), new SystemRandomness()];
  const ids = <Id extends string>(number: number): Id[] => Array.from({ length: number }, () => randomness.uuid<Id>());
  const persons = { clients: ids<ClientId>(CLIENTS), persons: ids<IdentityId>(PERSONS) };
  const finished = (events: EventStore, number: number, from = Date.now()) =>
    storeFinishedSessions(events, { count: number, ...persons, from, every: EVERY, randomness });

  const before = await bytesOf(path);
  const generated = Math.min(count, GENERATED);
  const from = Date.now() - (generated + 60_000) * EVERY;
  const first = await openDataDirectory(directory, clock);
  const made = await finished(first, generated, from);
  await first.close();
  writeRows(directory, { ids: made, ...persons, from, every: EVERY });
  copySessions(directory, count / generated - 1);
  const bytes = (await bytesOf(path)) - before;

  const store = await openDataDirectory(directory, clock);
  const lastOf = async (session: SessionId): Promise<RecordedEvent> => {
    const [last] = await store.read(streamName('session', session), { direction: 'backwards', limit: 1 });
    if (!last) throw new Error('the generator has stored nothing');
    return last;
  };
  const [newest] = await finished(store, 1);
  const relay = await relayed(store, clock, (await lastOf(newest!)).position, (number) => finished(store, number));
  const oldest = made.slice(0, DELETED);
  const cpu = process.cpuUsage();
  for (const id of oldest) await store.tombstone(streamName('session', id));
  const deletion = cpuMs(cpu) / oldest.length;
  const [last] = await finished(store, 1);
  await readUpTo(directory, { store, clock }, await lastOf(last!));
  await store.close();
  return { ...relay, deletion, 'bytes of a login': bytes / count };
};

/** Of the file and its write-ahead log. */
const bytesOf = async (path: string): Promise<number> => {
  const sizes = [path, `${path}-wal`].map((file) =>
    stat(file).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
};

/** The relay beside a broker that takes everything, from the position on: the cost of mapping, checkpoints and the subscription. */
const relayed = async (store: EventStore, clock: Clock, after: Position, finished: (count: number) => Promise<unknown>): Promise<Costs> => {
  const publisher = new TakingPublisher();
  const randomness = new SystemRandomness();
  const unitOfWork = new UnitOfWork(store, clock);
  const times = relayTimes({ lease: 15_000, horizon: 3_600_000 });
  const publication = new SessionPublication(store);
  const lease = new Lease(unitOfWork, clock, randomness, publication.topic, times);
  await lease.take();
  await lease.release({ position: String(after), reach: {} });
  const dependencies = {
    eventStore: store,
    unitOfWork,
    publication,
    publisher,
    clock,
    randomness,
    log: new SilentLog(),
    metrics: new Metrics(),
  };
  const relay = new EventRelay(dependencies, times);
  const stopping = new AbortController();
  const done = relay.run(stopping.signal);
  await publisher.quiet();
  const before = publisher.count;
  const cpu = process.cpuUsage();
  await finished(RELAYED_SESSIONS);
  await publisher.reached(before + RELAYED_SESSIONS * EVENTS_PER_SESSION);
  const withRelay = cpuMs(cpu);
  stopping.abort();
  await done;
  const alone = process.cpuUsage(); // the cost of storing alone
  await finished(RELAYED_SESSIONS);
  return { 'relay, event': ((withRelay - cpuMs(alone)) * 1000) / (RELAYED_SESSIONS * EVENTS_PER_SESSION) };
};

const cpuMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};

class TakingPublisher extends MessagePublisher {
  count = 0;
  #changed = Promise.withResolvers<void>();

  override async prepare(): Promise<void> {}
  override async publish(_topic: string, messages: readonly CloudEvent[]): Promise<TopicReach> {
    this.count += messages.length;
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
    return {};
  }
  override async reach(): Promise<TopicReach> {
    return {};
  }
  override async read(): Promise<void> {}
  override async close(): Promise<void> {}

  async reached(count: number): Promise<void> {
    while (this.count < count) await this.#changed.promise;
  }

  /** Resolves when nothing was published for a second. */
  async quiet(): Promise<void> {
    for (let before = -1; before !== this.count;) {
      before = this.count;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
}
