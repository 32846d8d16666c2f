import type { PlatformSettings } from '#service/config';
import { type ErasureList, FileErasureList } from '#domain/identity';
import { type IdentityId, ServiceUnavailable, SystemClock, SystemRandomness } from '#kernel';
import { openErasureList, readSettings } from '#service/platform';
import { Metrics, SilentLog } from '#telemetry';

import { Unavailable, UsageFailure } from '../failures.js';

/** What was copied from one list of erasures to another one. */
export interface CopiedErasures {
  readonly added: number;
  /** Persons on the list that was added to. */
  readonly entries: number;
}

/** Adds the persons on the service's list that a file lacks. The file never loses an entry: otherwise a lost list would empty the copy that is needed then. Throws a Failure. */
export const exportErasures = (path: string, settings = readSettings()): Promise<CopiedErasures> =>
  withList(settings, async (list) => addMissing(await list.all(), new FileErasureList(path)));

/** Adds the persons of a file that the service's list lacks. The service may run. Throws a Failure, also for a file without an entry. */
export const importErasures = (path: string, settings = readSettings()): Promise<CopiedErasures> =>
  withList(settings, async (list) => {
    const entries = await new FileErasureList(path).all();
    if (entries.size === 0) throw new UsageFailure(`${path} holds no list of erasures`);
    return addMissing(entries, list);
  });

const addMissing = async (from: ReadonlyMap<IdentityId, number>, to: ErasureList): Promise<CopiedErasures> => {
  const known = await to.all();
  const missing = [...from].filter(([identityId]) => !known.has(identityId));
  for (const [identityId, erasedAt] of missing) await to.add(identityId, erasedAt);
  return { added: missing.length, entries: known.size + missing.length };
};

const withList = async <Answer>(settings: PlatformSettings, work: (list: ErasureList) => Promise<Answer>): Promise<Answer> => {
  const dependencies = { clock: new SystemClock(), randomness: new SystemRandomness(), log: new SilentLog(), metrics: new Metrics() };
  const list = openErasureList(settings, dependencies);
  try {
    return await work(list);
  } catch (error) {
    if (error instanceof ServiceUnavailable) throw new Unavailable(error.reason, { cause: error });
    throw error;
  } finally {
    await list.close();
  }
};
