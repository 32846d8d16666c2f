import type { ClientId, Clock, DomainEvent, IdentityId, Randomness, SessionId } from '#kernel';
import { appendFact, type EventStore, StreamTombstoned } from '#event-store';

import { inboxStream } from './streams.js';

/** Times in epoch milliseconds. */
export type PushedSession = { readonly sessionId: SessionId; readonly clientId: ClientId; readonly expiresAt: number; readonly at: number };

/** The fact of the stream `inbox-<identityId>`. */
type SessionPushed = DomainEvent<'SessionPushed', PushedSession>;

/** How long a pushed session is kept, in seconds: as long as one lives at most. */
const MAX_AGE = 300;

/** The sessions that were sent to a person. */
export class Inbox {
  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Repeating it shows the session once. A person who was erased gets nothing. */
  async push(identityId: IdentityId, session: Omit<PushedSession, 'at'>): Promise<void> {
    const stream = inboxStream(identityId);
    const pushed = await this.#events(identityId);
    if (pushed.some(({ data }) => data.sessionId === session.sessionId)) return;
    const event: SessionPushed = { type: 'SessionPushed', data: { ...session, at: this.clock.now() } };
    try {
      if (pushed.length === 0) await this.store.setRetention(stream, { maxAge: MAX_AGE });
      await appendFact(this.store, this.randomness, stream, event);
    } catch (error) {
      if (!(error instanceof StreamTombstoned)) throw error;
    }
  }

  /** What can still be answered, oldest first, each session once. */
  async pending(identityId: IdentityId): Promise<PushedSession[]> {
    const now = this.clock.now();
    const sessions = new Map<SessionId, PushedSession>();
    for (const { data } of await this.#events(identityId)) {
      if (now < data.expiresAt && !sessions.has(data.sessionId)) sessions.set(data.sessionId, data);
    }
    return [...sessions.values()];
  }

  /** Erases it for ever. */
  async close(identityId: IdentityId): Promise<void> {
    await this.store.tombstone(inboxStream(identityId));
  }

  async #events(identityId: IdentityId): Promise<readonly SessionPushed[]> {
    return (await this.store.read(inboxStream(identityId))) as unknown as readonly SessionPushed[];
  }
}
