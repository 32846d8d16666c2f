import type { Clock, DomainEvent, IdentityId, SessionId } from '#kernel';
import { appendFact, type EventStore, type StreamName, streamName, StreamTombstoned } from '#engines/event-store';
import { IdentityNotFound } from '#domain/identity';

import type { Lifetimes } from '../domain/lifetimes.js';

/** The fact of the stream `signinglog-<identityId>`. */
type SigningBegun = DomainEvent<'SigningBegun', { readonly sessionId: SessionId; readonly at: number }>;

export const signingLogStream = (identityId: IdentityId): StreamName => streamName('signinglog', identityId);

/** Longer than any session waits for its approval, in milliseconds. */
const GRACE = 3_600_000;

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
    await this.store.tombstone(signingLogStream(identityId));
  }

  async #append(identityId: IdentityId, sessionId: SessionId): Promise<void> {
    const stream = signingLogStream(identityId);
    const { result, signingBuild } = this.lifetimes;
    const [last] = await this.store.read(stream, { direction: 'backwards', limit: 1 });
    if (!last) await this.store.setRetention(stream, { maxAge: Math.ceil((result + signingBuild + GRACE) / 1000) });
    const event: SigningBegun = { type: 'SigningBegun', data: { sessionId, at: this.clock.now() } };
    await appendFact({ store: this.store, clock: this.clock }, stream, event);
  }
}
