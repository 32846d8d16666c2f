import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { EventStoreUnavailable } from '#engines/event-store';
import { AuthenticatedErasureList, ErasureMacs, FileErasureLines } from '#domain/identity';
import { type Clock, SystemClock } from '#kernel';
import { copyStore, ERASURES } from '#service/platform';
import { Encrypter } from 'age-encryption';

import { Unavailable, UsageFailure } from '../failures.js';
import { addRecipient, writeBackup } from './backup-file.js';
import { type EventKeyOptions, eventKeys } from './event-keys.js';
import { isMacRefusal } from './read-erasures-copy.js';

interface BackupOptions extends EventKeyOptions {
  readonly dataDirectory: string;
  /** The folder for the file. */
  readonly to: string;
  /** Public keys of age. */
  readonly recipients: readonly string[];
  /** Backups of this command that stay in the folder. Default: all. */
  readonly keep?: number;
}

interface Backup {
  readonly file: string;
  /** Bytes of the store. */
  readonly size: number;
  readonly removed: readonly string[];
  /** Lines of the list of erasures that the service has not written: the backup does not have them. */
  readonly refusedErasures: number;
}

/** Writes the embedded event store, encrypted, into a new file of the folder; the service may run. Throws a Failure. */
export const backUp = async (options: BackupOptions, clock: Clock = new SystemClock()): Promise<Backup> => {
  const { dataDirectory, environment, to, recipients, keep } = options;
  if (recipients.length === 0) throw new UsageFailure('name a recipient: --recipient age1… (npm run cli -- backup-key)');
  for (const recipient of recipients) addRecipient(new Encrypter(), recipient);
  const ring = await eventKeys(options);
  const macs = new ErasureMacs(ring, environment);
  await mkdir(to, { recursive: true, mode: 0o700 });
  const takenAt = clock.now();
  const name = `countersign-${new Date(takenAt).toISOString().replaceAll(':', '-')}.age`;
  const draft = join(to, `${name}.draft`);
  try {
    await using copy = await copyStore(dataDirectory);
    // The list is read after the copy is complete, so it names every person in the copy who was erased before then.
    const list = new AuthenticatedErasureList(new FileErasureLines(join(dataDirectory, ERASURES)), macs);
    const { entries, faults } = await list.read();
    const erasures = [...entries];
    await writeBackup(
      createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }),
      recipients,
      { environment, takenAt, size: copy.size, erasures },
      copy.bytes,
      ring,
    );
    await rename(draft, join(to, name));
    await using folder = await open(to, 'r');
    await folder.sync();
    const removed = keep === undefined ? [] : await removeOldest(to, keep);
    return { file: join(to, name), size: copy.size, removed, refusedErasures: faults.filter(({ reason }) => isMacRefusal(reason)).length };
  } catch (error) {
    await rm(draft, { force: true });
    if (error instanceof EventStoreUnavailable) throw new Unavailable(error.reason, { cause: error });
    throw error;
  }
};

const NAME = /^countersign-\d{4}-\d\d-\d\dT[\d.-]+Z\.age$/;

const removeOldest = async (folder: string, keep: number): Promise<readonly string[]> => {
  const names = (await readdir(folder)).filter((name) => NAME.test(name)).sort();
  const removed = names.slice(0, Math.max(0, names.length - keep));
  for (const name of removed) await rm(join(folder, name));
  return removed;
};
