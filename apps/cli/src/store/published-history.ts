import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { checkSavedEntry, EntryRefused, type SavedEntry } from '#domain/administration';
import {
  FolderPlace,
  HistoryRefused,
  NoteRefused,
  type NoteVerifier,
  parseVerifier,
  PlaceUnavailable,
  PublishedLog,
  type SignedCheckpoint,
  type VerifiedHistory,
  verifyPublished,
} from '#engines/transparency-log';

import { Incomplete, Refusal, UsageFailure } from '../failures.js';

/** What an auditor has: no store, no secret. */
export interface VerifyOrder {
  /** Where `checkpoint` and `tile/entries` lie. Undefined: entries alone are checked, each by the checkpoint that was saved with it. */
  readonly folder?: string | undefined;
  /** Public keys, or files with public keys, one a line. */
  readonly keys: readonly string[];
  /** Files of earlier checkpoints. */
  readonly earlier: readonly string[];
  /** A folder of the auditor's own, with the checkpoints of earlier runs. */
  readonly keep?: string | undefined;
  /** Files with answers of `GET /audit?proofs=true`, or with one entry of them and its checkpoint. */
  readonly entries?: readonly string[];
}

export interface Verified {
  /** What was found in the folder. */
  readonly history?: VerifiedHistory;
  /** With how many earlier checkpoints the history was compared. */
  readonly compared: number;
  readonly entries: readonly SavedEntry[];
}

/** Checks saved entries, and the history that was published in a folder, and keeps its newest checkpoint. Throws a Failure. */
export const verifyHistory = async ({ folder, keys, earlier, keep, entries: saved = [] }: VerifyOrder): Promise<Verified> => {
  const log = await logIn(folder ?? '.', keys);
  const files = [...earlier, ...(keep === undefined ? [] : await keptIn(keep))];
  const checkpoints: SignedCheckpoint[] = [];
  for (const file of files) checkpoints.push(await readCheckpoint(log, file));
  const entries: SavedEntry[] = [];
  for (const file of saved) {
    const { checkpoint, found } = await checkEntries(log, file);
    entries.push(...found);
    checkpoints.push(checkpoint);
  }
  if (folder === undefined) return { compared: 0, entries };
  const history = await failing(() => verifyPublished(log, checkpoints));
  if (!history) throw new Incomplete(`nothing was published in ${folder} yet`);
  if (keep !== undefined) await keepCheckpoint(keep, history.checkpoint);
  return { history, compared: checkpoints.length, entries };
};

/** The entries of the file, and the checkpoint by which they are proved. */
const checkEntries = async (
  log: PublishedLog,
  file: string,
): Promise<{ readonly checkpoint: SignedCheckpoint; readonly found: readonly SavedEntry[] }> => {
  const { checkpoint: note, entry, entries = [entry] } = parseFile(file, await readFileOf(file));
  if (typeof note !== 'string' || !Array.isArray(entries)) throw new Refusal(`${file}: there is no checkpoint beside the entries`);
  return named(file, () => {
    const checkpoint = log.open(note);
    return { checkpoint, found: entries.map((one) => checkSavedEntry(one, checkpoint)) };
  });
};

const parseFile = (file: string, text: string): Readonly<Record<string, unknown>> => {
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw new UsageFailure(`${file} is no JSON`, { cause: error });
  }
};

/** The log of which the keys are. Throws a UsageFailure. */
const logIn = async (folder: string, keys: readonly string[]): Promise<PublishedLog> => {
  const verifiers: NoteVerifier[] = [];
  for (const key of keys) verifiers.push(...(await verifiersOf(key)));
  const [first, ...others] = new Set(verifiers.map(({ name }) => name));
  if (first === undefined || others.length > 0) throw new UsageFailure('--key: the keys are not those of one history');
  return new PublishedLog(new FolderPlace(folder, folder), first, () => verifiers);
};

const verifiersOf = async (key: string): Promise<readonly NoteVerifier[]> => {
  try {
    // A public key has two of these signs, and hardly any path.
    const texts = key.split('+').length > 2 ? [key] : (await readFileOf(key)).split('\n').filter((line) => line !== '');
    return texts.map(parseVerifier);
  } catch (error) {
    if (error instanceof NoteRefused) throw new UsageFailure(`--key ${key}: ${error.message}`, { cause: error });
    throw error;
  }
};

const KEPT = /^checkpoint-\d+$/;

const keptIn = async (folder: string): Promise<readonly string[]> => {
  const names = await readdir(folder).catch((error: Error) => {
    throw new UsageFailure(error.message, { cause: error });
  });
  return names.filter((name) => KEPT.test(name)).map((name) => join(folder, name));
};

/** The whole file or none of it. */
const keepCheckpoint = async (folder: string, { size, note }: SignedCheckpoint): Promise<void> => {
  const path = join(folder, `checkpoint-${size}`);
  await writeFile(`${path}.new`, note);
  await rename(`${path}.new`, path);
};

const readCheckpoint = async (log: PublishedLog, file: string): Promise<SignedCheckpoint> => {
  const note = await readFileOf(file);
  return named(file, () => log.open(note));
};

const named = <Result>(file: string, work: () => Result): Result => {
  try {
    return work();
  } catch (error) {
    if (error instanceof EntryRefused || error instanceof HistoryRefused || error instanceof NoteRefused)
      throw new Refusal(`${file}: ${error.message}`, { cause: error });
    throw error;
  }
};

const readFileOf = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((error: Error) => {
    throw new UsageFailure(error.message, { cause: error });
  });

const failing = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PlaceUnavailable) throw new UsageFailure(error.reason, { cause: error });
    if (error instanceof HistoryRefused || error instanceof NoteRefused) throw new Refusal(error.message, { cause: error });
    throw error;
  }
};
