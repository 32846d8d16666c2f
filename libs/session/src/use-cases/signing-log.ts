import type { Clock, IdentityId, Randomness, SessionId } from '#kernel';
import { appendFact, type EventStore, type StreamName, streamName, StreamTombstoned } from '#event-store';
import { IdentityNotFound } from '#identity';

import type { Lifetimes } from '../domain/lifetimes.js';

const signingLogStream = (identityId: IdentityId): StreamName => streamName('signinglog', identityId);

/** Longer than the longest session may wait for its approval, in milliseconds. */
const GRACE = 3_600_000;

/** Which signatures a person may have under way or to be fetched: what an erasure has to find. */
export class SigningLog {
  constructor(
    private readonly store: EventStore,
    private readonly lifetimes: Lifetimes,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Comes before the approval is stored. Repeating it does no harm. Throws IdentityNotFound once the person was erased. */
  async note(identityId: IdentityId, sessionId: SessionId): Promise<void> {
    await this.#note(identityId, sessionId).catch((error: unknown) => {
      throw error instanceof StreamTombstoned ? new IdentityNotFound('erased') : error;
    });
  }

  async sessions(identityId: IdentityId): Promise<readonly SessionId[]> {
    const events = await this.store.read(signingLogStream(identityId));
    return [...new Set(events.map(({ data }) => data['sessionId'] as SessionId))];
  }

  async erase(identityId: IdentityId): Promise<void> {
    await this.store.tombstone(signingLogStream(identityId));
  }

  async #note(identityId: IdentityId, sessionId: SessionId): Promise<void> {
    const stream = signingLogStream(identityId);
    const { result, signingBuild } = this.lifetimes;
    const [last] = await this.store.read(stream, { direction: 'backwards', limit: 1 });
    if (!last) await this.store.setRetention(stream, { maxAge: Math.ceil((result + signingBuild + GRACE) / 1000) });
    await appendFact(this.store, this.randomness, stream, { type: 'SigningBegun', data: { sessionId, at: this.clock.now() } });
  }
}
