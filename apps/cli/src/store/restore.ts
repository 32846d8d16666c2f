import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { isWholeSqliteFile } from '#engines/event-store';
import { AuthenticatedErasureList, ErasureMacs, FileErasureLines } from '#domain/identity';
import type { IdentityId } from '#kernel';
import { ERASURES, REBUILT, STORE } from '#service/platform';

import { Refusal, UsageFailure } from '../failures.js';
import { assertStopped } from './assert-stopped.js';
import { readBackup } from './backup-file.js';
import { type EventKeyOptions, eventKeys } from './event-keys.js';
import { leaveToOwner } from './leave-to-owner.js';
import { readErasuresCopy } from './read-erasures-copy.js';

export interface RestoreOptions extends EventKeyOptions {
  readonly dataDirectory: string;
  readonly file: string;
  /** A file with private keys of age. */
  readonly identityFile: string;
  /** A list of erasures that is newer than the one in `dataDirectory`. */
  readonly erasuresFile?: string;
  /** Whether a store that is there may be removed. */
  readonly replace: boolean;
}

interface Restored {
  /** Epoch milliseconds. */
  readonly takenAt: number;
  readonly size: number;
  /** Persons who were erased since: the service erases them again when it starts. */
  readonly erasures: number;
}

/**
 * Puts the store of a backup into the folder of a service that does not run. The persons on any of the three lists (of the backup, of the folder, of the given file) are on the
 * folder's list afterwards, and the service erases them when it starts. Until the backup was read to its end, nothing changes; from then on there is the former store or
 * the one of the backup, also after a kill. Run by root, it leaves the files to the owner of the folder. Throws a Failure.
 */
export const restore = async (options: RestoreOptions): Promise<Restored> => {
  const { dataDirectory, file, identityFile, erasuresFile, replace, environment } = options;
  const store = join(dataDirectory, STORE);
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  await refuseUse(store, replace);
  const ring = await eventKeys(options);
  const macs = new ErasureMacs(ring, environment);
  const list = join(dataDirectory, ERASURES);
  const draft = `${store}.restoring`;
  // A restoration that was killed leaves its draft.
  await removeDatabase(draft);
  try {
    const reading = { identities: await identitiesIn(identityFile), ring, environment };
    const { header, bytes } = await readBackup(createReadStream(await readable(file)), reading);
    // Opened before: a stream that opens its file while it is destroyed would make the draft again behind its removal.
    const written = await open(draft, 'w', 0o600);
    await pipeline(bytes, written.createWriteStream({ flush: true }));
    if (!isWholeSqliteFile(draft)) throw new Refusal('the store in the backup is damaged');
    const listed = await readErasuresCopy(list, macs);
    const newer = erasuresFile === undefined ? [] : await readErasuresCopy(await readable(erasuresFile), macs);
    const erasures = await addErasures(list, macs, [...header.erasures, ...listed, ...newer]);
    for (const path of [draft, list]) await leaveToOwner(path, dataDirectory);
    // A service may have been started meanwhile.
    await refuseUse(store, replace);
    for (const rebuilt of REBUILT) await removeDatabase(join(dataDirectory, rebuilt));
    for (const suffix of LOGS) await rm(`${store}${suffix}`, { force: true });
    await rename(draft, store);
    await using folder = await open(dataDirectory, 'r');
    await folder.sync();
    const { takenAt, size } = header;
    return { takenAt, size, erasures: erasures - new Set(header.erasures.map(([id]) => id)).size };
  } catch (error) {
    await removeDatabase(draft);
    throw error;
  }
};

const refuseUse = async (store: string, replace: boolean): Promise<void> => {
  if (!existsSync(store)) return;
  // A store that is damaged may be replaced.
  await assertStopped(store);
  if (!replace) throw new Refusal(`${store} is there already: keep a copy of it if it can be read, and repeat with --replace`);
};

const readable = async (path: string): Promise<string> => {
  const file = await open(path, 'r').catch((cause: unknown) => {
    throw new UsageFailure(`${path} cannot be read`, { cause });
  });
  await file.close();
  return path;
};

const identitiesIn = async (path: string): Promise<readonly string[]> =>
  (await readFile(await readable(path), 'utf8'))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

/** Answers how many persons are on the list then. */
const addErasures = async (path: string, macs: ErasureMacs, erasures: readonly (readonly [string, number])[]): Promise<number> => {
  const list = new AuthenticatedErasureList(new FileErasureLines(path), macs);
  const listed = new Map(await list.all());
  for (const [id, erasedAt] of erasures) {
    const identityId = id as IdentityId;
    if (listed.has(identityId)) continue;
    await list.add(identityId, erasedAt);
    listed.set(identityId, erasedAt);
  }
  return listed.size;
};

/** What the names of the files beside a database add to its own. */
const LOGS = ['-wal', '-shm', '-journal'];

const removeDatabase = async (path: string): Promise<void> => {
  for (const suffix of ['', ...LOGS]) await rm(`${path}${suffix}`, { force: true });
};
