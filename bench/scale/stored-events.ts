import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type EventStore, SqliteEventStore, streamName } from '#event-store';
import { type ClientId, type Clock, type IdentityId, SystemClock, SystemRandomness } from '#kernel';
import { type CloudEvent, MessagePublisher, type TopicReach } from '#message-bus';
import { SessionPublication } from '#session';
import { storeFinishedSessions } from '#session/testing';
import { Metrics, SilentLog } from '#telemetry';

import { EventRelay } from '../../apps/event-relay/src/event-relay.js';
import { relayTimes } from '../../apps/event-relay/src/relay-times.js';
import type { Costs } from './growth.js';
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

/** The cost of each path over a store that holds so many events. */
export const overStoredEvents = async (events: number): Promise<Costs> => {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-scale-'));
  try {
    const filled = await fill(directory, Math.round(events / EVENTS_PER_SESSION));
    const service = await MeasuredService.open(directory);
    try {
      return { ...filled, ...service.start, ...(await service.paths(await service.staff.newRelyingParty())) };
    } finally {
      await service.stop();
    }
  } finally {
    await rm(directory, { recursive: true });
  }
};

const fill = async (directory: string, count: number): Promise<Costs> => {
  const path = join(directory, 'countersign.sqlite');
  const [clock, randomness] = [new SystemClock(), new SystemRandomness()];
  const store = new SqliteEventStore({ path, clock, randomness });
  const ids = <Id extends string>(number: number): Id[] => Array.from({ length: number }, () => randomness.uuid<Id>());
  const [clients, persons] = [ids<ClientId>(CLIENTS), ids<IdentityId>(PERSONS)];
  const finished = (number: number) =>
    storeFinishedSessions(store, { count: number, clients, persons, from: Date.now() - (number + 60_000) * EVERY, every: EVERY, randomness });
  const before = (await stat(path)).size;
  const PART = 100_000;
  let oldest: readonly string[] = [];
  for (let stored = 0; stored < count; stored += PART) {
    const made = await finished(Math.min(PART, count - stored));
    if (stored === 0) oldest = made.slice(0, DELETED);
  }
  const bytes =
    (await stat(path)).size -
    before +
    (await stat(`${path}-wal`).then(
      ({ size }) => size,
      () => 0,
    ));
  const relay = await relayed(store, clock, finished);
  const cpu = process.cpuUsage();
  for (const id of oldest) await store.tombstone(streamName('session', id));
  const deletion = cpuMs(cpu) / oldest.length;
  await store.close();
  return { ...relay, deletion, 'bytes of a login': bytes / count };
};

/** The relay beside a broker that takes everything: the cost of mapping, checkpoints and the subscription. */
const relayed = async (store: EventStore, clock: Clock, finished: (count: number) => Promise<readonly string[]>): Promise<Costs> => {
  const publisher = new TakingPublisher();
  const randomness = new SystemRandomness();
  const dependencies = {
    eventStore: store,
    publication: new SessionPublication(store, clock),
    publisher,
    clock,
    randomness,
    log: new SilentLog(),
    metrics: new Metrics(),
  };
  const relay = new EventRelay(dependencies, relayTimes({ lease: 15_000, horizon: 3_600_000 }));
  const stopping = new AbortController();
  // The first start publishes the stored events; that is not measured.
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
