import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { SqliteEventStore } from '#engines/event-store';
import { noteSigner, type NoteVerifier, PublishedLog, FolderPlace } from '#engines/transparency-log';
import { type KeyRing, Secret } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';
import { authenticate, openCheckpointWriter, openHistoryGuard } from '#service/platform';
import { Metrics, SilentLog } from '#telemetry';
import { testPlatform } from '#testkit/platform/test-platform';

import { registryFixture } from './registry.fixture.js';

const ring = (id: string): KeyRing => new StaticKeyRing([{ id, key: new Secret(Buffer.alloc(32, id)) }]);

/** A registry whose history is published in a folder. */
export const anchoredRegistry = async () => {
  const clock = new FixedClock();
  const folder = await mkdtemp(join(tmpdir(), 'anchor-'));
  const sqlite = new SqliteEventStore({ path: ':memory:', clock });
  const [log, metrics] = [new SilentLog(), new Metrics()];
  const keys = { checkpoint: ring('checkpoint') } as never;
  const opened = authenticate(sqlite, { environment: 'development', eventKeys: ring('event'), log, metrics });
  const settings = { environment: 'development', anchorDirectory: folder } as never;
  const { guard, eventStore } = openHistoryGuard({ settings, keys, log, metrics, eventStore: opened, pause: async () => undefined })!;
  const platform = await testPlatform({ ANCHOR_DIR: folder }, { clock, eventStore, historyGuard: guard });
  const registry = await registryFixture(platform);
  const writer = openCheckpointWriter({ ...platform, keys, eventStore: opened })!;
  const verifier: NoteVerifier = noteSigner('countersign/development', ring('checkpoint').current().key).verifier;
  await guard.look();
  return {
    registry,
    folder,
    verifier,
    guard,
    /** The log as an outsider opens it. */
    published: new PublishedLog(new FolderPlace('folder', folder), verifier.name, () => [verifier]),
    /** Publishes what was stored, and has the registry compare it. */
    publish: async (): Promise<void> => {
      await writer.write(new AbortController().signal);
      await guard.look();
    },
    close: async (): Promise<void> => {
      await registry.close();
      await sqlite.close();
      await rm(folder, { recursive: true });
    },
  };
};
