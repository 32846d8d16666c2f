import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { InvalidSettings, loadPlatformSettings } from '#service/config';
import { EventStoreUnavailable, NO_STREAM, SqliteEventStore, type StreamName, streamName, WrongExpectedRevision } from '#engines/event-store';
import { EVENT_RING } from '#testkit/event-store/authenticated';
import { SpawnedTestServer } from '#testkit/event-store/eventstoredb/spawned-test-server';
import { SystemClock, SystemRandomness } from '#kernel';
import { Metrics, SilentLog } from '#telemetry';

import { openEventStore } from './open-event-store.js';

describe('the event store of the platform', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'platform-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const open = (environment: Record<string, string>, metrics = new Metrics()) =>
    openEventStore(loadPlatformSettings({ DATA_DIR: directory, ...environment }), {
      clock: new SystemClock(),
      randomness: new SystemRandomness(),
      log: new SilentLog(),
      metrics,
      eventKeys: EVENT_RING,
    });

  it('is a file in DATA_DIR by default', async () => {
    const store = await open({});
    await store.check();
    await store.close();
    expect(await readdir(directory)).toContain('countersign.sqlite');
  });

  it('measures appends and reads by their outcome, and the writes of a commit', async () => {
    const metrics = new Metrics();
    const store = await open({}, metrics);
    const stream = streamName('session', 'ffffffff-0000-4000-8000-000000000000');
    const append = () => store.append(stream, NO_STREAM, [{ type: 'Happened', data: {} }]);
    await append();
    await expect(append()).rejects.toBeInstanceOf(WrongExpectedRevision);
    await store.read(stream);
    await store.close();
    await expect(append()).rejects.toBeInstanceOf(EventStoreUnavailable);
    const shown = await metrics.registry.metrics();
    for (const [call, outcome] of [
      ['append', 'done'],
      ['append', 'conflict'],
      ['append', 'unavailable'],
      ['read', 'done'],
    ])
      // prettier-ignore
      expect(shown).toMatch(new RegExp(`event_store_call_duration_seconds_count{call="${call}",outcome="${outcome}"} [1-9]`));
    expect(shown).toMatch(/event_store_commit_writes_count [1-9]/);
  });

  it('counts each step of a session once, when its event is stored', async () => {
    const metrics = new Metrics();
    const store = await open({}, metrics);
    const append = (category: string) =>
      store.append(streamName(category, 'ffffffff-0000-4000-8000-000000000000'), NO_STREAM, [
        { type: 'SessionCreated', data: {}, metadata: { v: 2, signatureType: 'SIGNING' } },
      ]);
    await append('session');
    await expect(append('session')).rejects.toBeInstanceOf(WrongExpectedRevision);
    await append('other');
    const [id, other] = ['1', '2'].map((digit) => streamName('session', `ffffffff-0000-4000-8000-00000000000${digit}`)) as [StreamName, StreamName];
    const login = (type: string) => ({ type, data: {}, metadata: { v: 2, signatureType: 'AUTHENTICATION' } });
    await store.appendTogether([
      { stream: id, expected: NO_STREAM, events: [login('SessionCreated'), login('SessionScanned')] },
      { stream: other, expected: NO_STREAM, events: [login('SessionCreated')] },
    ]);
    await store.close();
    expect((await metrics.sessionSteps.get()).values.map(({ labels, value }) => [labels.kind, labels.step, value])).toEqual([
      ['signing', 'created', 1],
      ['login', 'created', 2],
      ['login', 'scanned', 1],
    ]);
  });

  it('is EventStoreDB when ESDB_URL is set, and DATA_DIR stays empty', async () => {
    await using server = await SpawnedTestServer.start();
    const store = await open({ ESDB_URL: server.connectionString });
    await store.check();
    await store.close();
    expect(await readdir(directory)).toEqual([]);
  });

  it('may be unavailable when the process starts, and is not ready until then', async () => {
    const store = await open({ ESDB_URL: 'esdb://127.0.0.1:1?tls=false' });
    await expect(store.check()).rejects.toBeInstanceOf(EventStoreUnavailable);
    await store.close();
  });

  it.each(['http://127.0.0.1:2113', 'esdb://', 'esdb://user:secret@host?tls=perhaps'])(
    'refuses %s as ESDB_URL, naming the setting and not its value',
    async (url) => {
      const opened = Promise.resolve().then(() => open({ ESDB_URL: url }));
      await expect(opened).rejects.toBeInstanceOf(InvalidSettings);
      await expect(opened).rejects.toMatchObject({ message: expect.stringContaining('ESDB_URL') });
      await expect(opened).rejects.not.toMatchObject({ message: expect.stringContaining('secret') });
    },
  );

  describe('and events without a MAC', () => {
    const stream = streamName('session', 'ffffffff-0000-4000-8000-000000000000');
    const forge = async (): Promise<void> => {
      const attacker = new SqliteEventStore({ path: join(directory, 'countersign.sqlite'), clock: new SystemClock() });
      await attacker.append(stream, NO_STREAM, [{ type: 'SessionCreated', data: {} }]);
      await attacker.close();
    };

    it('takes none, and counts the refusal', async () => {
      await (await open({})).close();
      await forge();
      const metrics = new Metrics();
      const store = await open({}, metrics);
      await expect(store.read(stream)).rejects.toMatchObject({ because: 'unsigned' });
      await store.close();
      expect((await metrics.refusedEvents.get()).values).toEqual([{ labels: { category: 'session', reason: 'unsigned' }, value: 1 }]);
    });
  });
});
