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
    openEventStore(loadPlatformSettings({ DATA_DIR: directory, ...environment }), { clock: new SystemClock(), randomness: new SystemRandomness(), log: new SilentLog() });

  it('is a file in DATA_DIR unless told otherwise', async () => {
    const store = await open({});
    await store.check();
    await store.close();
    expect(await readdir(directory)).toContain('countersign.sqlite');
  });

  it('is EventStoreDB where ESDB_URL names one; nothing lies in DATA_DIR then', async () => {
    await using server = await SpawnedTestServer.start();
    const store = await open({ ESDB_URL: server.connectionString });
    await store.check();
    await store.close();
    expect(await readdir(directory)).toEqual([]);
  });

  it('need not be up when the process starts, and is not ready until then', async () => {
    const store = await open({ ESDB_URL: 'esdb://127.0.0.1:1?tls=false' });
    await expect(store.check()).rejects.toBeInstanceOf(EventStoreUnavailable);
    await store.close();
  });

  it.each(['http://127.0.0.1:2113', 'esdb://', 'esdb://user:secret@host?tls=perhaps'])('refuses %s as ESDB_URL, by that name and without telling it', async (url) => {
    const opened = Promise.resolve().then(() => open({ ESDB_URL: url }));
    await expect(opened).rejects.toBeInstanceOf(InvalidSettings);
    await expect(opened).rejects.toMatchObject({ message: expect.stringContaining('ESDB_URL') });
    await expect(opened).rejects.not.toMatchObject({ message: expect.stringContaining('secret') });
  });
});
