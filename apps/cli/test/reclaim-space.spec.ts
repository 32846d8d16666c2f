import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { SqliteEventStore, streamName } from '#engines/event-store';
import { SpawnedTestServer } from '#testkit/event-store/eventstoredb/spawned-test-server';
import { SystemClock } from '#kernel';

import { reclaimSpace } from '../src/store/reclaim-space.js';

const METRIC = 'countersign_store_scavenge_last_success_timestamp_seconds';

let dataDirectory: string;
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'cli-store-'));
});
afterEach(() => rm(dataDirectory, { recursive: true }));

const reclaim = (options: { esdbUrl?: string; metricsFile?: string } = {}) =>
  reclaimSpace({ dataDirectory, pollEvery: 20, note: () => undefined, ...options });

describe('reclaiming space', () => {
  it('compacts the SQLite file when no EventStoreDB is named', async () => {
    const path = join(dataDirectory, 'countersign.sqlite');
    const store = new SqliteEventStore({
      path,
      clock: { now: () => Date.now() - 2 * 86_400_000, monotonic: () => performance.now() } as SystemClock,
    });
    const stream = streamName('test', 'one');
    const secret = 'x'.repeat(200_000);
    await store.append(stream, 'no_stream', [{ type: 'Happened', data: { secret } }]);
    await store.tombstone(stream);
    await store.close();
    const [done] = await reclaim();
    expect(done).toMatchObject({ node: 'sqlite' });
    const [, before, after] = /^(\d+) bytes before, (\d+) after$/.exec(done?.details ?? '') ?? [];
    expect(Number(before) - Number(after)).toBeGreaterThan(190_000);
    const reopened = new SqliteEventStore({ path, clock: new SystemClock() });
    await expect(reopened.append(stream, 'no_stream', [{ type: 'Happened', data: {} }])).rejects.toMatchObject({ name: 'StreamTombstoned' });
    await reopened.close();
  });

  it('refuses a file that a service holds', async () => {
    const store = new SqliteEventStore({ path: join(dataDirectory, 'countersign.sqlite'), clock: new SystemClock() });
    await expect(reclaim()).rejects.toMatchObject({ exitCode: 3 });
    await store.close();
  });

  it('names the missing file', async () => {
    await expect(reclaim()).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('countersign.sqlite') });
  });

  it('scavenges EventStoreDB and notes each success for a collector of metrics', async () => {
    await using server = await SpawnedTestServer.start();
    const metricsFile = join(dataDirectory, 'countersign.prom');
    await writeFile(metricsFile, `${METRIC}{node="other:2113"} 1767225600\n`);
    const [done] = await reclaim({ esdbUrl: server.connectionString, metricsFile });
    expect(done).toMatchObject({ node: `127.0.0.1:${server.port}`, details: expect.stringMatching(/^leader, scavenge /) });
    // The collector runs as another user.
    expect((await stat(metricsFile)).mode & 0o777).toBe(0o644);
    const lines = (await readFile(metricsFile, 'utf8')).split('\n');
    expect(lines).toContain(`${METRIC}{node="other:2113"} 1767225600`);
    const sample = lines.find((line) => line.startsWith(`${METRIC}{node="127.0.0.1:${server.port}"} `));
    expect(Math.abs(Number(sample?.split(' ')[1]) - Date.now() / 1000)).toBeLessThan(60);
    expect(lines.filter((line) => line.startsWith('# TYPE'))).toHaveLength(1);
  });

  it('fails when no node answers, and notes nothing', async () => {
    const metricsFile = join(dataDirectory, 'countersign.prom');
    await expect(reclaim({ esdbUrl: 'esdb://127.0.0.1:1?tls=false', metricsFile })).rejects.toMatchObject({ exitCode: 3 });
    await expect(readFile(metricsFile)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('refuses a text that is no connection string', async () => {
    await expect(reclaim({ esdbUrl: 'http://127.0.0.1' })).rejects.toMatchObject({ exitCode: 2 });
  });
});
