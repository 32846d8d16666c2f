import { findRetirableKey, KeyChangeRefused, type KeyFileName, type KeySeal, type ListedKey, listKeys, removeKey } from '#service/config';
import { withAccess } from '#engines/event-store';
import { type Clock, SystemClock } from '#kernel';
import { countEventsThatName, notedSubjectKey } from '#service/platform';

import { Refusal } from '../failures.js';
import { onStore, type StoreOptions } from './on-store.js';

interface RetireOptions extends StoreOptions {
  readonly file: KeyFileName;
  readonly id: string;
  readonly keyDirectory: string;
  /** Default: in clear. */
  readonly seal?: KeySeal | undefined;
  /** Seconds that a session is stored after its end. */
  readonly sessionRetention: number;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/**
 * How long the successor must have been in use before the key may be removed. After that time no service uses the key any more. Tokens are not stored, so they
 * cannot be counted. Every token that was made under the key has expired by then, since a token is valid for minutes at most.
 */
const SUCCESSION: Partial<Record<KeyFileName, number>> = { token: DAY, pin: MINUTE, data: MINUTE, event: MINUTE };

/** The longest session, the two days after which the sweep deletes sessions that were missed, and a day to spare. */
const SESSION_MARGIN = 4 * DAY;

/**
 * An erasure finds stored sessions by the subjectId that they name. So a former subject key is needed until the last session that was begun with it is deleted.
 * No event names a subject key, so the time is calculated.
 */
const subjectFreeFrom = ({ acceptedUntil = Infinity }: ListedKey, sessionRetention: number): number =>
  acceptedUntil + sessionRetention * 1000 + SESSION_MARGIN;

/** Removes a key that no stored value names. Throws a Failure, and changes nothing then. */
export const retireKey = ({ file, id, sessionRetention, seal, ...options }: RetireOptions, clock: Clock = new SystemClock()): Promise<void> =>
  onStore(async () => {
    const key = await findRetirableKey(options.keyDirectory, file, id, { clock, seal });
    const freeFrom = file === 'subject' ? subjectFreeFrom(key, sessionRetention) : key.successorSince + (SUCCESSION[file] ?? DAY);
    if (clock.now() < freeFrom)
      throw new Refusal(
        `${id} in ${file}.json may still be in use: ${file === 'subject' ? 'stored sessions may name subjectIds of it' : 'its successor is too young'}. Retire it after ${new Date(freeFrom).toISOString()}`,
      );
    const { esdbUrl, esdbAccess = {}, dataDirectory } = options;
    const location = { dataDirectory, ...(esdbUrl !== undefined && { esdbUrl: withAccess(esdbUrl, esdbAccess) }) };
    if (file === 'subject') await assertNextNoted(options.keyDirectory, { clock, seal }, await notedSubjectKey(location));
    const count = await countEventsThatName(file, id, location);
    if (count > 0) throw new Refusal(`${count} stored events name the key ${id} in ${file}.json: without it they could not be read. Keep it`);
    await removeKey(options.keyDirectory, key, seal);
  }).catch((error: unknown) => {
    throw error instanceof KeyChangeRefused ? new Refusal(error.message, { cause: error }) : error;
  });

/** The next start compares its key with the noted one. Without this note it would be refused. */
const assertNextNoted = async (
  keyDirectory: string,
  tools: { readonly clock: Clock; readonly seal: KeySeal | undefined },
  noted: string | undefined,
): Promise<void> => {
  const next = (await listKeys(keyDirectory, tools)).find(({ file, state }) => file === 'subject' && state === 'current');
  if (next?.fingerprint !== noted)
    throw new Refusal('the store does not name the new key of subject.json yet: start a service with this KEY_DIR first');
};
