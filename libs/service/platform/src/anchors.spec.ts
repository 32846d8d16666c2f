import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type EventStore, NO_STREAM, SqliteEventStore } from '#engines/event-store';
import { Secret } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';
import { Metrics, SilentLog } from '#telemetry';
import { TestCa } from '#testkit/engine-access/test-ca';
import { CheckpointServer } from '#testkit/transparency-log/checkpoint-server';

import { authenticate } from './authenticate.js';
import { openCheckpointWriter } from './open-checkpoints.js';
import { openHistoryGuard } from './open-history-guard.js';
import type { Platform } from './platform.js';
import { STREAMS } from './streams.js';

const ring = (id: string) => new StaticKeyRing([{ id, key: new Secret(Buffer.alloc(32, id)) }]);
const signal = new AbortController().signal;
const audit = STREAMS.find(({ category }) => category === 'audit')!;

describe('the places of checkpoints that the settings name', () => {
  let ca: TestCa;
  let server: CheckpointServer;
  let directory: string;
  let tokenFile: string;
  const stores: EventStore[] = [];
  let parts: Platform;
  let revision: number | typeof NO_STREAM;
  beforeAll(async () => {
    ca = await TestCa.make();
  });
  afterAll(() => ca[Symbol.asyncDispose]());
  beforeEach(async () => {
    server = await CheckpointServer.start(ca);
    directory = await mkdtemp(join(tmpdir(), 'anchor-'));
    tokenFile = await ca.write('token', `${server.token}\n`);
    const [clock, log, metrics] = [new FixedClock(), new SilentLog(), new Metrics()];
    revision = NO_STREAM;
    parts = {
      settings: { environment: 'test', anchorUrl: server.url, anchorTokenFile: tokenFile, anchorCaFile: ca.file },
      keys: { checkpoint: ring('checkpoint') },
      eventStore: newStore(),
      clock,
      log,
      metrics,
      useCases: { administration: () => ({ securityLines: async () => [] }) },
    } as unknown as Platform;
  });
  afterEach(async () => {
    await server[Symbol.asyncDispose]();
    for (const store of stores.splice(0)) await store.close();
    await rm(directory, { recursive: true });
  });

  const newStore = (): EventStore => {
    const store = new SqliteEventStore({ path: ':memory:', clock: new FixedClock() });
    stores.push(store);
    return authenticate(store, { environment: 'test', eventKeys: ring('event'), log: new SilentLog(), metrics: new Metrics() });
  };
  const enter = async (): Promise<void> => {
    ({ revision } = await parts.eventStore.append(audit.of('log'), revision, [{ type: 'AdminChangeBegun', data: {} }]));
  };
  const sizeAtServer = (): number => Number(server.files.get('checkpoint')?.toString().split('\n')[1]);
  /** A process that begins: how many leaves it knows, and what it misses. */
  const begun = async () => {
    const { guard } = openHistoryGuard({ ...parts, pause: async () => undefined })!;
    await guard.look();
    return { leaves: guard.known.size, loss: guard.loss?.reason };
  };
  const failuresAt = async (counter: 'checkpointFailures' | 'placeFailures') =>
    (await parts.metrics.history[counter].get()).values.map(({ labels, value }) => [labels['place'], value]);

  it('are a server that keeps checkpoints and leaves, from which each process reads them back', async () => {
    await enter();
    await openCheckpointWriter(parts)!.write(signal);
    expect(sizeAtServer()).toBe(1);
    expect(await begun()).toEqual({ leaves: 1, loss: undefined });
    Object.assign(parts, { eventStore: newStore() });
    expect((await begun()).loss).toMatch(/^the store names no checkpoint, and one of 1 leaves was published/);
  });

  it('are a folder and a server, each of which gets what it lacks', async () => {
    Object.assign(parts.settings, { anchorDirectory: directory });
    await server.close();
    await enter();
    const writer = openCheckpointWriter(parts)!;
    await writer.write(signal);
    await server.open();
    await enter();
    await writer.write(signal);
    expect([sizeAtServer(), (await readFile(join(directory, 'checkpoint'), 'utf8')).split('\n')[1]]).toEqual([2, '2']);
    server.files.clear();
    expect(await begun()).toEqual({ leaves: 2, loss: undefined });
  });

  it('raise the alarm by the name of the server while it is away, and miss nothing when it is back', async () => {
    const writer = openCheckpointWriter(parts)!;
    await enter();
    await writer.write(signal);
    await server.close();
    await enter();
    await writer.write(signal);
    expect(await failuresAt('checkpointFailures')).toEqual([['ANCHOR_URL', 1]]);
    // Whoever begins meanwhile knows of published leaves, and not which.
    expect(await begun()).toEqual({ leaves: 0, loss: 'no place of checkpoints answers' });
    expect(await failuresAt('placeFailures')).toEqual([['ANCHOR_URL', 1]]);
    await server.open();
    await writer.write(signal);
    expect(sizeAtServer()).toBe(2);
    expect(await begun()).toEqual({ leaves: 2, loss: undefined });
  });

  it('take a new token from its file without a new start', async () => {
    const writer = openCheckpointWriter(parts)!;
    await enter();
    await writeFile(tokenFile, 'former');
    await writer.write(signal);
    expect(server.files.size).toBe(0);
    await writeFile(tokenFile, server.token);
    await writer.write(signal);
    expect(sizeAtServer()).toBe(1);
  });
});
