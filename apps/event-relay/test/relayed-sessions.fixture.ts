import { expect } from '@jest/globals';

import { NO_STREAM, SqliteEventStore, streamName, UnitOfWork } from '#engines/event-store';
import { Secret, SystemClock, SystemRandomness } from '#kernel';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';
import { eventually } from '#testkit/kernel/eventually';
import { type CloudEvent, KafkaMessageBus, KafkaPublisher, type KafkaSettings, RecordMacs } from '#engines/message-bus';
import { SessionPublication } from '#domain/session';
import { STORED_CREATION } from '#testkit/session/stored-creation';
import { Metrics, SilentLog } from '#telemetry';
import { enveloped } from '#testkit/session/enveloped';

import { EventRelay } from '../src/event-relay.js';

const clock = new SystemClock();
const randomness = new SystemRandomness();
const log = new SilentLog();

const LATER = [
  { type: 'ScanRefused', data: { deviceId: 'device', at: 1_500 } },
  { type: 'SessionCancelled', data: { reason: 'DECLINED', at: 2_000 } },
];

/** The name of a message: `subject/revision`. */
export const nameOf = ({ subject, esrevision }: CloudEvent): string => `${subject}/${esrevision}`;

/** A store in memory, a relay and a consumer of a topic of their own on the given brokers. */
export const relayedSessions = (connection: Pick<KafkaSettings, 'brokers' | 'access'>) => {
  const topic = `test.${randomness.bytes(6).toString('hex')}`;
  const macs = new RecordMacs(new StaticKeyRing([{ id: 'event', key: new Secret(Buffer.alloc(32, 'event')) }]), 'test');
  const settings = { ...connection, clientId: 'test', macs };
  const store = new SqliteEventStore({ path: ':memory:', clock });
  const metrics = new Metrics();
  const stopping = new AbortController();
  const publication = new SessionPublication(store, topic);
  const publisher = new KafkaPublisher(settings, log, randomness);
  const bus = new KafkaMessageBus({ ...settings, fetchWait: 500, publications: [publication], clock, randomness, log, metrics });
  const created: string[] = [];
  const seen: CloudEvent[] = [];

  const relay = new EventRelay(
    { eventStore: store, unitOfWork: new UnitOfWork(store, clock), publication, publisher, clock, randomness, log, metrics },
    { lease: 3_000, horizon: 3_600_000, checkpoint: 1_000, retry: 200, topicCheck: 500, pace: 25, count: 15_000 },
  );
  const consumption = bus.consume({
    topic,
    group: `${topic}.consumer`,
    types: [...publication.types],
    handler: async (message) => void seen.push(message),
    signal: stopping.signal,
  });
  const relaying = relay.run(stopping.signal);

  return {
    topic,
    store,
    metrics,
    /** The ids of the sessions that were created. */
    created,
    /** The messages in the order of their arrival, repetitions included. */
    seen,
    /** Creates sessions of three events each. */
    create: async (count: number): Promise<void> => {
      for (let session = 0; session < count; session += 1) {
        const id = randomness.uuid<string>();
        const [creation, ...later] = enveloped([STORED_CREATION, ...LATER]);
        await store.append(streamName('session', id), NO_STREAM, [creation!]);
        await store.append(streamName('session', id), 0, later);
        created.push(id);
      }
    },
    /** Resolves when the consumer has seen every event of every session, in order, in the messages from that index on. */
    allSeen: async (from = 0): Promise<void> => {
      const names = () => new Set(seen.slice(from).map(nameOf));
      await eventually(() => names().size >= created.length * 3, { what: 'every event has arrived', within: 60_000 });
      const first = [...names()];
      for (const id of created) {
        expect(first.filter((name) => name.startsWith(id))).toEqual([0, 1, 2].map((revision) => `${id}/${revision}`));
      }
    },
    close: async (): Promise<void> => {
      stopping.abort();
      await relaying;
      await consumption.done;
      await publisher.close();
      await bus.close();
      await store.close();
    },
  };
};
