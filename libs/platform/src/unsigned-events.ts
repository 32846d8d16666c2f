import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { InvalidSettings, isGuarded, type PlatformSettings, readOrCreateFile } from '#config';
import type { Position } from '#event-store';
import type { Randomness } from '#kernel';

/** Beside the keys: a writer of the store cannot write there. */
const UNSIGNED_EVENTS_FILE = 'events-without-mac.json';

/** While services of a release before the MACs still run, every event without one is taken. */
const DURING_UPGRADE = 'upgrade';
const NO_END: Position = 2n ** 63n;

export const unsignedEventsFile = ({ keyDirectory }: Pick<PlatformSettings, 'keyDirectory'>): string => join(keyDirectory, UNSIGNED_EVENTS_FILE);

/** The content of the file that takes events without a MAC up to the position. */
export const unsignedEventsUntil = (position: Position): string => `${JSON.stringify({ until: String(position) })}\n`;

/**
 * The position up to which events without a MAC are taken: a release before the MACs has stored them. A file in `KEY_DIR` holds it. Without that file,
 * the first start over a SQLite file notes its end, which is 0 in a new installation; a guarded environment and EventStoreDB take none, and
 * `cli store note-upgrade` notes the end of an old store. Throws {@link InvalidSettings}.
 */
export const readUnsignedUntil = async (settings: PlatformSettings, randomness: Randomness, end?: Position): Promise<Position | undefined> => {
  const path = unsignedEventsFile(settings);
  const content =
    end !== undefined && !isGuarded(settings.environment)
      ? await readOrCreateFile(path, randomness, () => unsignedEventsUntil(end))
      : await readFile(path, 'utf8').catch(ifMissing);
  return content === undefined ? undefined : parse(path, content);
};

/** Whether services of a release before the MACs may still run. */
export const isUpgrading = async (settings: Pick<PlatformSettings, 'keyDirectory'>): Promise<boolean> =>
  untilOf((await readFile(unsignedEventsFile(settings), 'utf8').catch(ifMissing)) ?? '') === DURING_UPGRADE;

/** Whether the content notes the end of an upgrade: a position. */
export const notesAnEnd = (content: string): boolean => /^\d/.test(untilOf(content) ?? '');

const parse = (path: string, content: string): Position => {
  const until = untilOf(content);
  if (until === undefined)
    throw new InvalidSettings([`KEY_DIR: ${path} must hold {"until": "<position>"} or {"until": "${DURING_UPGRADE}"} (docs/operator.md).`]);
  return until === DURING_UPGRADE ? NO_END : BigInt(until);
};

const untilOf = (content: string): string | undefined => {
  try {
    const { until } = JSON.parse(content) as { until: unknown };
    return until === DURING_UPGRADE || (typeof until === 'string' && /^\d{1,19}$/.test(until)) ? until : undefined;
  } catch {
    return undefined;
  }
};

const ifMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
};
