import type { Clock, IdentityId, SessionId } from '#kernel';
import { appendFact, type EventStore, StreamTombstoned } from '#engines/event-store';
import { IdentityNotFound } from '#domain/identity';

import type { Lifetimes } from '../domain/lifetimes.js';
import { type SigningBegun, SIGNING_LOGS, signingLogStream } from '../streams.js';

/** The signatures that a person may have under way or ready to be fetched, so that an erasure finds them. */
export class SigningLog {
  constructor(
    private readonly store: EventStore,
    private readonly lifetimes: Lifetimes,
    private readonly clock: Clock,
  ) {}

  /** Call it before the approval is stored. May be repeated. Throws IdentityNotFound after the person was erased. */
  async add(identityId: IdentityId, sessionId: SessionId): Promise<void> {
    await this.#append(identityId, sessionId).catch((error: unknown) => {
      throw error instanceof StreamTombstoned ? new IdentityNotFound('erased') : error;
    });
  }

  async sessions(identityId: IdentityId): Promise<readonly SessionId[]> {
    const events = await this.store.read<SigningBegun>(signingLogStream(identityId));
    return [...new Set(events.map(({ data }) => data.sessionId))];
  }

  async erase(identityId: IdentityId): Promise<void> {
    await SIGNING_LOGS.tombstone(this.store, signingLogStream(identityId));
  }

  async #append(identityId: IdentityId, sessionId: SessionId): Promise<void> {
    const stream = signingLogStream(identityId);
    const [last] = await this.store.read(stream, { direction: 'backwards', limit: 1 });
    if (!last) await SIGNING_LOGS.retain(this.store, stream, this.lifetimes);
    const event: SigningBegun = { type: 'SigningBegun', data: { sessionId, at: this.clock.now() } };
    await appendFact({ store: this.store, clock: this.clock }, stream, event);
  }
}
