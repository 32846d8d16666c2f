import { expectOk, type RelyingParty, type Staff } from '../../support/index.js';
import type { StoredSession } from './checker.js';
import { untilAnswered } from './retry.js';

/** A session of the history and the client that created it. */
export interface KnownSession {
  readonly client: RelyingParty;
  readonly sessionId: string;
  readonly isSigning?: boolean;
}

/** These sessions as the store and the API now show them; a session without events is left out. */
export const storedSessions = async (staff: Staff, all: readonly KnownSession[]): Promise<Map<string, StoredSession>> => {
  const sessions = new Map<string, StoredSession>();
  await inTurns(all, async ({ client, sessionId, isSigning = false }) => {
    const { status, json } = await untilAnswered(() => staff.timeline(sessionId));
    if (status !== 200) return;
    const shown = expectOk(await untilAnswered(() => client.status({ sessionId })))['status'] as string;
    sessions.set(sessionId, { sessionId, status: shown, isSigning, events: json!['events'] as StoredSession['events'] });
  });
  return sessions;
};

/** So many at a time: more requests at once are answered later on two cores, on a slow machine too late. */
const WIDTH = 8;

/** Several at a time, not all at once. */
export const inTurns = async <T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> => {
  for (let at = 0; at < all.length; at += WIDTH) await Promise.all(all.slice(at, at + WIDTH).map(work));
};
