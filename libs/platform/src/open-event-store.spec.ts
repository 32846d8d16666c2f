import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { InvalidSettings, loadPlatformSettings } from '#config';
import { EventStoreUnavailable } from '#event-store';
import { SpawnedTestServer } from '#event-store/testing';
import { SystemClock, SystemRandomness } from '#kernel';
import { SilentLog } from '#telemetry';

import { openEventStore } from './open-event-store.js';

describe('the event store of the platform', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'platform-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const open = (environment: Record<string, string>) =>
    openEventStore(loadPlatformSettings({ DATA_DIR: directory, ...environment }), {
      clock: new SystemClock(),
      randomness: new SystemRandomness(),
      log: new SilentLog(),
    });

  it('is a file in DATA_DIR by default', async () => {
    const store = await open({});
    await store.check();
    await store.close();
    expect(await readdir(directory)).toContain('countersign.sqlite');
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
});
