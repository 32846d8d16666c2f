import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type ErasureLine, type ErasureLines, ErasureMacs, FileErasureLines, type JudgedLines, judgeLines, type ListFault } from '#domain/identity';
import { keySealOf } from '#service/config';
import { sha256, SystemClock, SystemRandomness } from '#kernel';
import { ERASURES, openErasureLines, readSettings, STORE } from '#service/platform';
import { Metrics, SilentLog } from '#telemetry';

import { Refusal, Unavailable, UsageFailure } from '../failures.js';
import { assertStopped } from './assert-stopped.js';
import { orUnavailable } from './erasures.js';
import { eventKeys } from './event-keys.js';
import { leaveToOwner } from './leave-to-owner.js';
import { isMacRefusal } from './read-erasures-copy.js';

type Settings = ReturnType<typeof readSettings>;

export interface CheckedErasures {
  /** Persons whom the service has listed. */
  readonly entries: number;
  readonly faults: readonly ListFault[];
  /** Names what was checked, for a repair: SHA-256 of the file, as `sha256sum` prints it. Absent of a topic. */
  readonly reviewed?: string;
}

export interface RepairOptions {
  /** {@link CheckedErasures.reviewed} of the check that the operator has judged. */
  readonly reviewed: string;
  /** A file to be made: the list as it was, for the inquiry. */
  readonly keep: string;
  /** Persons who stand on no line of the service, and whose lines are left out all the same. */
  readonly drop?: readonly string[];
  /** Whether the list may go on without lines that are gone. */
  readonly acceptMissing?: boolean;
}

/** What is wrong with the service's list of erasures. Changes nothing; the service may run. Throws a Failure. */
export const checkErasures = async (settings = readSettings()): Promise<CheckedErasures> => {
  const macs = await macsOf(settings);
  const reviewed = settings.kafkaBrokers === undefined ? { reviewed: await digestOf(listOf(settings)) } : {};
  const lines = openErasureLines(settings, {
    clock: new SystemClock(),
    randomness: new SystemRandomness(),
    log: new SilentLog(),
    metrics: new Metrics(),
  });
  const { genuine, faults } = await orUnavailable(judged(lines, macs)).finally(() => lines.close());
  return { entries: genuine.size, faults, ...reviewed };
};

/**
 * Writes the list in `DATA_DIR` anew from the lines that the service has written: each person once, each line with a MAC that names the line before it. No person whom the service has listed is
 * lost. Refuses what only a person can judge: a list that has changed since its check, lines under a key that is missing, persons whom only a line of another party names, and lines that are gone.
 * Answers how many persons are listed. Throws a Failure, and changes nothing then.
 */
export const repairErasures = async (
  { reviewed, keep, drop = [], acceptMissing = false }: RepairOptions,
  settings = readSettings(),
): Promise<{ readonly entries: number }> => {
  if (settings.kafkaBrokers !== undefined)
    throw new Refusal(
      'the list is the topic erasures.v1, of which nothing is written anew: give the key of each faulty record a record without a value',
    );
  const [macs, list] = [await macsOf(settings), listOf(settings)];
  await assertStopped(join(settings.dataDirectory, STORE));
  await assertReviewed(list, reviewed);
  const lines = new FileErasureLines(list);
  const found = await orUnavailable(judged(lines, macs));
  refuseUnjudged(found, new Set(drop), acceptMissing);
  await copyTo(keep, await bytesOf(list));
  await assertReviewed(list, reviewed);
  await orUnavailable(lines.replace(chained([...found.genuine.values()], macs)));
  await leaveToOwner(list, settings.dataDirectory);
  return { entries: found.genuine.size };
};

const judged = async (lines: ErasureLines, macs: ErasureMacs): Promise<JudgedLines> => judgeLines(await lines.all(), (line) => macs.refusal(line));

const refuseUnjudged = ({ genuine, faults }: JudgedLines, dropped: ReadonlySet<string>, acceptMissing: boolean): void => {
  if (faults.length === 0) throw new Refusal('the list has no faults');
  const ofKey = faults.find(({ reason }) => reason === 'key');
  if (ofKey) throw new Refusal(`${ofKey.place} has a MAC under a key that event.json lacks, and may be the service's own: put the key back first`);
  const listed = new Set<string>(genuine.keys());
  const alone = faults.filter(({ reason, identityId }) => isMacRefusal(reason) && !listed.has(identityId) && !dropped.has(identityId));
  if (alone.length > 0) {
    const named = alone.slice(0, NAMED).map(({ place, identityId }) => `${place} ${JSON.stringify(identityId)}`);
    const more = alone.length > NAMED ? ` and ${alone.length - NAMED} more` : '';
    throw new Refusal(
      `only lines that the service has not written name these persons: ${named.join(', ')}${more}. Bring erased ones back from a copy (erasures import); name the others with --drop`,
    );
  }
  const wrong = [...dropped].find((person) => listed.has(person) || !faults.some(({ identityId }) => identityId === person));
  if (wrong !== undefined) throw new UsageFailure(`--drop ${JSON.stringify(wrong)}: the service has listed this person, or no line names them`);
  const gap = faults.find(({ reason }) => reason === 'missing');
  if (gap && !acceptMissing)
    throw new Refusal(`the line before ${gap.place} is gone. Import the newest copy of the list first; --accept-missing goes on without it`);
};

/** Persons that a message names. */
const NAMED = 5;

const chained = (lines: readonly ErasureLine[], macs: ErasureMacs): readonly ErasureLine[] => {
  let last: string | undefined;
  return lines.map(({ identityId, erasedAt }) => {
    const line = macs.signed(identityId, erasedAt, last);
    last = line.mac;
    return line;
  });
};

const listOf = ({ dataDirectory }: Settings): string => join(dataDirectory, ERASURES);

const macsOf = async (settings: Settings): Promise<ErasureMacs> =>
  new ErasureMacs(await eventKeys({ ...settings, seal: keySealOf(settings, new SystemRandomness()) }), settings.environment);

/** The bytes of the list; none where it is not there. */
const bytesOf = (path: string): Promise<Buffer> =>
  readFile(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return Buffer.alloc(0);
    throw new Unavailable(`${path} cannot be read (${cause.code})`, { cause });
  });

const digestOf = async (path: string): Promise<string> => sha256(await bytesOf(path)).toString('hex');

const assertReviewed = async (list: string, reviewed: string): Promise<void> => {
  if ((await digestOf(list)) !== reviewed) throw new Refusal('the list is not the one that --reviewed names: check it again');
};

const copyTo = async (path: string, bytes: Buffer): Promise<void> => {
  try {
    await using file = await open(path, 'wx', 0o600);
    await file.writeFile(bytes);
    await file.sync();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new UsageFailure(`--keep ${path}: ${code === 'EEXIST' ? 'it exists already' : `it cannot be written (${code})`}`, { cause });
  }
};
