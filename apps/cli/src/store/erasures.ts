import { keySealOf } from '#service/config';
import { type ErasureLine, ErasureMacs, FileErasureLines } from '#domain/identity';
import { ServiceUnavailable, SystemClock, SystemRandomness } from '#kernel';
import { openErasureLines, openErasureList, readSettings } from '#service/platform';
import { Metrics, SilentLog } from '#telemetry';

import { Unavailable, UsageFailure } from '../failures.js';
import { eventKeys } from './event-keys.js';
import { readErasuresCopy } from './read-erasures-copy.js';

/** What was copied from one list of erasures to another one. */
export interface CopiedErasures {
  readonly added: number;
  /** Persons on the list that was added to. */
  readonly entries: number;
}

interface Closed {
  close(): Promise<void>;
}

/**
 * Adds the lines of the service's list that a file lacks, as they stand, so it needs no key: who brings the copy back checks them. The file never loses a line: otherwise a lost list would
 * empty the copy that is needed then. Throws a Failure.
 */
export const exportErasures = (path: string, settings = readSettings()): Promise<CopiedErasures> =>
  closing(openErasureLines(settings, dependencies()), async (from) => {
    const copy = new FileErasureLines(path);
    const known = await copy.all();
    const names = new Set(known.map(nameOf));
    const missing = (await from.all()).filter((line) => !names.has(nameOf(line)));
    for (const line of missing) await copy.append(line);
    const before = personsOf(known);
    const persons = personsOf([...known, ...missing]);
    return { added: persons.size - before.size, entries: persons.size };
  });

/** Adds the persons of a copy that the service's list lacks. The service may run. Throws a Failure, also for a file without a line, and for one with a line that the service has not written. */
export const importErasures = async (path: string, settings = readSettings()): Promise<CopiedErasures> => {
  const ring = await eventKeys({ ...settings, seal: keySealOf(settings, new SystemRandomness()) });
  const entries = await orUnavailable(readErasuresCopy(path, new ErasureMacs(ring, settings.environment)));
  if (entries.size === 0) throw new UsageFailure(`${path} holds no list of erasures`);
  return closing(openErasureList(settings, { eventKeys: ring, ...dependencies() }), async (list) => {
    const known = await list.all();
    const missing = [...entries].filter(([identityId]) => !known.has(identityId));
    for (const [identityId, erasedAt] of missing) await list.add(identityId, erasedAt);
    return { added: missing.length, entries: known.size + missing.length };
  });
};

const nameOf = ({ identityId, erasedAt, mac }: ErasureLine): string => JSON.stringify([identityId, erasedAt, mac]);

const personsOf = (lines: readonly ErasureLine[]): ReadonlySet<string> => new Set(lines.map(({ identityId }) => identityId));

const dependencies = () => ({ clock: new SystemClock(), randomness: new SystemRandomness(), log: new SilentLog(), metrics: new Metrics() });

const closing = <Opened extends Closed, Answer>(opened: Opened, work: (opened: Opened) => Promise<Answer>): Promise<Answer> =>
  orUnavailable(work(opened)).finally(() => opened.close());

/** Throws a Failure in place of ServiceUnavailable. */
export const orUnavailable = <Answer>(work: Promise<Answer>): Promise<Answer> =>
  work.catch((error: unknown) => {
    throw error instanceof ServiceUnavailable ? new Unavailable(error.reason, { cause: error }) : error;
  });
