import { type Clock, type Randomness, type Sealer, type SessionId } from '#kernel';
import { EventIds, type EventStore, NO_STREAM, type StreamName, streamName, WrongExpectedRevision } from '#event-store';

import type { Lifetimes } from '../domain/lifetimes.js';
import type { SigningResult } from '../domain/sealed-terms.js';

/** Between building, finishing and fetching, in milliseconds: `$maxAge` only sweeps what the session no longer shows. */
const GRACE = 60_000;

const resultStream = (sessionId: SessionId): StreamName => streamName('result', sessionId);

/** The streams `result-<sessionId>`: the container and the signer's identity, sealed. */
export class SigningResults {
  constructor(
    private readonly store: EventStore,
    private readonly sealer: Sealer,
    private readonly lifetimes: Lifetimes,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Undefined when there is none, or it was erased. */
  async read(sessionId: SessionId): Promise<SigningResult | undefined> {
    const stream = resultStream(sessionId);
    const [kept] = await this.store.read(stream, { limit: 1 });
    return kept && this.sealer.open<SigningResult>((kept.data as { sealed: string }).sealed, stream);
  }

  /** Keeps the first result of a session; a later one is dropped. Throws StreamTombstoned once the session was given up. */
  async keep(sessionId: SessionId, result: SigningResult): Promise<void> {
    const stream = resultStream(sessionId);
    const { result: shown, signingBuild } = this.lifetimes;
    await this.store.setRetention(stream, { maxAge: Math.ceil((shown + signingBuild + GRACE) / 1000) });
    const data = { sealed: this.sealer.seal(result, stream), at: this.clock.now() };
    try {
      await this.store.append(stream, NO_STREAM, [{ type: 'ResultKept', data, id: new EventIds(this.randomness).next(stream) }]);
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error;
    }
  }

  /** Erases the result for ever, also one that is still to come. */
  async discard(sessionId: SessionId): Promise<void> {
    await this.store.tombstone(resultStream(sessionId));
  }
}
