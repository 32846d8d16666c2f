import type { Clock, IdentityId, SessionId } from '#kernel';
import { appendFact, type EventStore, StreamTombstoned } from '#engines/event-store';

import { INBOXES, inboxStream, type PushedSession, type SessionPushed } from '../streams.js';

/** How long a pushed session is stored at least, in seconds: its lifetime by default. A session with a longer lifetime is stored for that time. */
const MIN_AGE = 300;

type InboxEntry = Omit<PushedSession, 'at' | 'quiet'>;

/** The streams `inbox-*`: the sessions that were pushed to a person. */
export class Inbox {
  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    /** The configured lifetime of a pushed session, in seconds. All processes set the same retention, so two that push at once do not shorten each other's. */
    private readonly pushSessionTtl: number,
  ) {}

  /** Adds a session, once. `wakes`: whether it wakes the phones; asked only where it is added. Does nothing for an erased person. */
  async push(identityId: IdentityId, session: InboxEntry, wakes: () => Promise<boolean> = always): Promise<void> {
    const pushed = await this.#events(identityId);
    if (!pushed.some(({ data }) => data.sessionId === session.sessionId)) await this.#append(identityId, session, pushed, await wakes());
  }

  /** Adds a session once more, so that waiting phones read the inbox again. {@link pending} still answers it once. */
  async pushAgain(identityId: IdentityId, session: InboxEntry, wakes: () => Promise<boolean> = always): Promise<void> {
    await this.#append(identityId, session, await this.#events(identityId), await wakes());
  }

  async #append(identityId: IdentityId, session: InboxEntry, pushed: readonly SessionPushed[], wakes: boolean): Promise<void> {
    const stream = inboxStream(identityId);
    const event: SessionPushed = { type: 'SessionPushed', data: { ...session, at: this.clock.now(), ...(!wakes && { quiet: true }) } };
    const life = secondsOf(event);
    try {
      // an inbox with entries is kept for MIN_AGE at least, and for at least the lifetime of each entry
      if (pushed.length === 0 || life > MIN_AGE) {
        await INBOXES.retain(this.store, stream, [MIN_AGE, this.pushSessionTtl, life, ...pushed.map(secondsOf)]);
      }
      await appendFact({ store: this.store, clock: this.clock }, stream, event);
    } catch (error) {
      if (!(error instanceof StreamTombstoned)) throw error;
    }
  }

  /** The sessions that have not expired, oldest first, each once. */
  async pending(identityId: IdentityId): Promise<PushedSession[]> {
    const now = this.clock.now();
    const sessions = new Map<SessionId, PushedSession>();
    for (const { data } of await this.#events(identityId)) {
      if (now < data.expiresAt && !sessions.has(data.sessionId)) sessions.set(data.sessionId, data);
    }
    return [...sessions.values()];
  }

  /** Erases the inbox permanently. May be repeated. */
  async close(identityId: IdentityId): Promise<void> {
    await INBOXES.tombstone(this.store, inboxStream(identityId));
  }

  async #events(identityId: IdentityId): Promise<readonly SessionPushed[]> {
    return this.store.read<SessionPushed>(inboxStream(identityId));
  }
}

const always = async (): Promise<boolean> => true;

const secondsOf = ({ data: { at, expiresAt } }: SessionPushed): number => Math.ceil((expiresAt - at) / 1_000);
