import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type EventStore, NO_STREAM, streamName } from '#engines/event-store';
import { SystemClock, SystemRandomness } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { EmbeddedMessageBus } from '#engines/message-bus';
import { openDataDirectory } from '#testkit/platform/open-data-directory';
import { CONSUMER_GROUPS, SESSION_EVENTS_TOPIC, SessionPublication } from '#domain/session';
import { Metrics, SilentLog } from '#telemetry';

import { Unavailable, UsageFailure } from '../src/failures.js';
import { listDeadLetters, redriveDeadLetters } from '../src/store/dead-letters.js';

const clock = new SystemClock();
const randomness = new SystemRandomness();
const group = CONSUMER_GROUPS.webhooks;

let folder: string;
let store: EventStore;
let dataDirectory: string | undefined;
const sessionId = randomness.uuid<string>();

const open = (): Promise<EventStore> => openDataDirectory(folder, clock);

/** Consumes with a bus of its own until `done` says so. */
const consume = async (handler: (type: string) => Promise<void>, done: (bus: EmbeddedMessageBus) => boolean | Promise<boolean>): Promise<void> => {
  const publications = [new SessionPublication(store)];
  const bus = new EmbeddedMessageBus({ eventStore: store, publications, clock, randomness, log: new SilentLog(), metrics: new Metrics() });
  const stopping = new AbortController();
  const handle = ({ type }: { type: string }) => handler(type);
  bus.consume({ topic: SESSION_EVENTS_TOPIC, group, types: ['session.created'], handler: handle, signal: stopping.signal, retryWaits: [] });
  await eventually(() => done(bus));
  stopping.abort();
  await bus.close();
};

beforeEach(async () => {
  dataDirectory = process.env['DATA_DIR'];
  folder = await mkdtemp(join(tmpdir(), 'dead-letters-'));
  process.env['DATA_DIR'] = folder;
  store = await open();
  const envelope = { v: 2, clientId: randomness.uuid<string>(), signatureType: 'AUTHENTICATION', status: 'PENDING' };
  const data = { ...envelope, at: clock.now(), expiresAt: clock.now() + 1_000, pushStatus: 'NOT_REQUESTED', sealed: '' };
  await store.append(streamName('session', sessionId), NO_STREAM, [
    { type: 'SessionCreated', data, metadata: envelope },
    { type: 'SessionFrozen', data: { at: clock.now() }, metadata: { ...envelope, v: 3 } },
  ]);
  const failing = async (): Promise<void> => {
    throw new Error('broken');
  };
  await consume(failing, async (bus) => (await bus.deadLetters(SESSION_EVENTS_TOPIC, group)).length === 2);
});
afterEach(async () => {
  await store.close();
  if (dataDirectory === undefined) delete process.env['DATA_DIR'];
  else process.env['DATA_DIR'] = dataDirectory;
  await rm(folder, { recursive: true });
});

describe('dead-letters, of a stopped service', () => {
  it('lists the letters of each group, and redrives them to the next start; an event that is still unknown becomes a new letter', async () => {
    await store.close();
    const listed = await listDeadLetters();
    expect(listed.map(({ group: name, letters }) => [name, letters.length])).toEqual([
      ['signing', 0],
      ['webhooks', 2],
      ['timers', 0],
      ['session-status', 0],
    ]);
    expect(listed[1]?.letters).toMatchObject([
      { reason: 'Error', message: { type: 'session.created', subject: sessionId } },
      { reason: 'events of type SessionFrozen cannot be published', source: { subject: sessionId, esrevision: 1 } },
    ]);
    expect(await redriveDeadLetters(group)).toEqual([{ group, redriven: 2, unreadable: 0 }]);
    store = await open();
    const handled: string[] = [];
    await consume(
      async (type) => void handled.push(type),
      async (bus) => (await bus.deadLetters(SESSION_EVENTS_TOPIC, group)).length === 3,
    );
    expect(handled).toEqual(['session.created']);
    await store.close();
    expect((await listDeadLetters(group))[0]?.letters.map(({ redriven = false }) => redriven)).toEqual([true, true, false]);
    store = await open();
  });

  it('refuses a group that does not exist', async () => {
    await store.close();
    await expect(listDeadLetters('nobody')).rejects.toThrow(UsageFailure);
    store = await open();
  });
});

it('dead-letters, of a running service, say that another process holds the file', async () => {
  await expect(listDeadLetters()).rejects.toThrow(Unavailable);
});
