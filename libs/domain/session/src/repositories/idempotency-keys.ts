import { type ClientId, type Clock, hmac, type Secret, type SessionId, uuidOf } from '#kernel';

import type { StartedSession } from '../domain/session.js';
import { IdempotencyConflict } from '../domain/session.errors.js';
import type { Sessions } from './sessions.js';

/** How long a key is remembered, in milliseconds (specification/relying-party.md#idempotency-key). */
const LIFETIME = 120_000;

export interface KeyedRequest {
  /** The id to create a session under, when there is none to answer. */
  readonly sessionId: SessionId;
  /** Belongs into SessionCreated. */
  readonly requestDigest: string;
  /** The session of the same request less than two minutes ago. */
  readonly earlier?: StartedSession;
}

/**
 * Maps an `Idempotency-Key` of POST session to its session, the same on every replica. The ids are derived from client and key, and
 * form a chain: the next one is used when the session of the one before is two minutes old. Nothing is stored but the sessions
 * (docs/adr/0013).
 */
export class IdempotencyKeys {
  constructor(
    private readonly sessions: Sessions,
    /** Does not rotate: a repeated request must derive the id of the first one. */
    private readonly key: Secret<Buffer>,
    private readonly clock: Clock,
  ) {}

  /** Throws IdempotencyConflict when the key came with another request less than two minutes ago. */
  async find(clientId: ClientId, key: string, request: object): Promise<KeyedRequest> {
    const requestDigest = this.#digest(request);
    const idOf = (number: number): SessionId => uuidOf(hmac(this.key.reveal(), 'idempotent-session', clientId, key, `${number}`));
    const begun = await countBegun((number) => this.sessions.exists(idOf(number)));
    const newest = begun === 0 ? undefined : await this.sessions.find(idOf(begun - 1));
    if (!newest || newest.createdAt + LIFETIME <= this.clock.now()) return { sessionId: idOf(begun), requestDigest };
    assertSameRequest(newest, requestDigest);
    return { sessionId: idOf(begun - 1), requestDigest, earlier: newest };
  }

  #digest(request: object): string {
    const body = JSON.stringify(request, inOrder);
    return hmac(this.key.reveal(), 'idempotency-body', body).toString('base64url');
  }
}

/** For JSON.stringify: the members of every object in the order of their names. */
const inOrder = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Throws IdempotencyConflict when another request created the session. */
export const assertSameRequest = (session: StartedSession, requestDigest: string): void => {
  if (session.requestDigest !== requestDigest) throw new IdempotencyConflict('another body under the same key');
};

/** How many of the numbers from 0 on are taken. They are taken in order, so doubling and then halving the step finds the first free one. */
const countBegun = async (isTaken: (number: number) => Promise<boolean>): Promise<number> => {
  let taken = -1;
  let free = 0;
  while (await isTaken(free)) {
    taken = free;
    free = 2 * free + 1;
  }
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (await isTaken(middle)) taken = middle;
    else free = middle;
  }
  return free;
};
