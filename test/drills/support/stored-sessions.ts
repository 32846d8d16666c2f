import { expectOk, type RelyingParty, type Staff } from '../../support/index.js';
import type { StoredSession } from './checker.js';

/** A session of the history and the client that created it. */
export interface KnownSession {
  readonly client: RelyingParty;
  readonly sessionId: string;
  readonly isSigning?: boolean;
}

/** These sessions as the store and the API now show them. */
export const storedSessions = async (staff: Staff, all: readonly KnownSession[]): Promise<Map<string, StoredSession>> => {
  const sessions = new Map<string, StoredSession>();
  await inTurns(all, async ({ client, sessionId, isSigning = false }) => {
    const { status, json } = await staff.timeline(sessionId);
    if (status !== 200) return;
    const shown = expectOk(await client.status({ sessionId }))['status'] as string;
    sessions.set(sessionId, { sessionId, status: shown, isSigning, events: json!['events'] as StoredSession['events'] });
  });
  return sessions;
};

/** Many at a time, not all at once. */
export const inTurns = async <T>(all: readonly T[], work: (one: T) => Promise<void>, width = 32): Promise<void> => {
  for (let at = 0; at < all.length; at += width) await Promise.all(all.slice(at, at + width).map(work));
};
