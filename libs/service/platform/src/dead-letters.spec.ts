import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { NO_STREAM, SqliteEventStore, streamName } from '#engines/event-store';
import { Secret, ServiceUnavailable, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';
import { type CloudEvent, DeadLetterStream, KafkaMessageBus, RecordMacs } from '#engines/message-bus';
import { SESSION_EVENTS_TOPIC, SessionPublication } from '#domain/session';
import { STORED_CREATION } from '#testkit/session/stored-creation';
import { Metrics, SilentLog } from '#telemetry';

import { DeadLetters } from './dead-letters.js';

const RELAY = 'event-relay';
const FROZEN = { type: 'SessionFrozen', data: { at: 2_000 } };

const randomness = new SystemRandomness();
let clock: FixedClock;
let store: SqliteEventStore;
let letters: DeadLetters;
let published: CloudEvent[];
let publishLate: jest.SpiedFunction<KafkaMessageBus['publishLate']>;

beforeEach(() => {
  clock = new FixedClock();
  store = new SqliteEventStore({ path: ':memory:', clock });
  const parts = { clock, randomness, log: new SilentLog(), metrics: new Metrics() };
  const publication = new SessionPublication(store);
  // Connects to no broker: the integration test shows how Kafka treats the records.
  const macs = new RecordMacs(new StaticKeyRing([{ id: 'event', key: new Secret(Buffer.alloc(32)) }]), 'test');
  const bus = new KafkaMessageBus({ ...parts, publications: [publication], macs, brokers: ['127.0.0.1:1'], clientId: 'test' });
  published = [];
  publishLate = jest.spyOn(bus, 'publishLate').mockImplementation(async (_topic, messages) => void published.push(...messages));
  letters = new DeadLetters(store, bus, clock, publication);
});
afterEach(() => letters.close());

/** The relay of an older release has parked this event. */
const parked = async (event: { readonly type: string; readonly data: Record<string, string | number> }): Promise<string> => {
  const subject = randomness.uuid<string>();
  await store.append(streamName('session', subject), NO_STREAM, [event]);
  const reason = `events of type ${event.type} cannot be published`;
  const letter = { reason, at: clock.now(), origin: `session-${subject}, revision 0`, source: { subject, esrevision: 0 } };
  await new DeadLetterStream(store, clock, { topic: SESSION_EVENTS_TOPIC, group: RELAY }).keep(letter);
  return subject;
};

describe('the letters of the relay', () => {
  it('are published as the upgraded release reads their events, each once', async () => {
    const subjects = [await parked(STORED_CREATION), await parked(STORED_CREATION)];
    expect(await letters.redrive(RELAY)).toEqual({ redriven: 2, unreadable: 0 });
    expect(published.map(({ subject, type, esrevision }) => [subject, type, esrevision])).toEqual(
      subjects.map((subject) => [subject, 'session.created', 0]),
    );
    expect(await letters.redrive(RELAY)).toEqual({ redriven: 0, unreadable: 0 });
    expect(published).toHaveLength(2);
    expect((await letters.list(RELAY)).map(({ redriven }) => redriven)).toEqual([true, true]);
  });

  it('become new letters when this release does not know their events either', async () => {
    const subject = await parked(FROZEN);
    await parked(STORED_CREATION);
    expect(await letters.redrive(RELAY)).toEqual({ redriven: 1, unreadable: 1 });
    const waiting = (await letters.list(RELAY)).filter(({ redriven }) => !redriven);
    expect(waiting.map(({ source }) => source)).toEqual([{ subject, esrevision: 0 }]);
  });

  it('stay when the broker does not take them', async () => {
    await parked(STORED_CREATION);
    publishLate.mockRejectedValueOnce(new ServiceUnavailable('Kafka: no broker'));
    await expect(letters.redrive(RELAY)).rejects.toThrow('Kafka: no broker');
    expect((await letters.list(RELAY)).map(({ redriven }) => redriven)).toEqual([undefined]);
    expect(await letters.redrive(RELAY)).toEqual({ redriven: 1, unreadable: 0 });
    expect(published).toHaveLength(1);
  });

  it('of an erased session are kept as letters', async () => {
    const subject = await parked(STORED_CREATION);
    await store.tombstone(streamName('session', subject));
    expect(await letters.redrive(RELAY)).toEqual({ redriven: 0, unreadable: 1 });
    expect(published).toEqual([]);
  });
});
