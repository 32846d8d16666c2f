import { AuthenticatedEventStore, type EventStore, idOf, openEventStoreDb } from '#engines/event-store';
import { SystemClock, SystemRandomness } from '#kernel';
import { eventMacs } from '#service/platform';

import type { StoredSession } from './checker.js';
import { keyRingOf } from './key-ring.js';
import type { KnownSession } from './stored-sessions.js';

interface Followed {
  readonly events: { readonly type: string; readonly sequence: number }[];
  /** When time ends it unless it is confirmed, epoch milliseconds. */
  expiresAt: number;
  /** When the tap saw its end, epoch milliseconds. */
  endedAt?: number;
}

const ENDS: ReadonlySet<string> = new Set(['SessionCompleted', 'SessionCancelled', 'SessionExpired']);

/** The sessions as the store has them. No endpoint is asked: a request itself may append a session's end. */
export class StoreTap {
  readonly sessions = new Map<string, Followed>();
  readonly #leave = new AbortController();
  #following: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  private constructor(readonly store: EventStore) {}

  /** Follows the store from now on. Answers when it does. */
  static async open(connectionString: string): Promise<StoreTap> {
    const store = await openEventStoreDb({ connectionString, clock: new SystemClock(), randomness: new SystemRandomness() });
    const tap = new StoreTap(store);
    const caughtUp = Promise.withResolvers<void>();
    tap.#following = tap.#follow(caughtUp.resolve);
    tap.#following.catch(caughtUp.reject);
    await caughtUp.promise;
    return tap;
  }

  /** The store as services with these settings write to it: each event gets a MAC of theirs. */
  asService({ KEY_DIR = '', ENVIRONMENT = '' }: Readonly<Record<string, string>>): EventStore {
    const macs = eventMacs(keyRingOf(KEY_DIR, 'event'), ENVIRONMENT);
    return new AuthenticatedEventStore(this.store, { macs, shortened: () => undefined, refused: () => undefined });
  }

  /** Those of them that have not ended. */
  open(all: readonly KnownSession[]): readonly KnownSession[] {
    return all.filter(({ sessionId }) => this.sessions.get(sessionId)?.endedAt === undefined);
  }

  /** By how many milliseconds the ends of these sessions came later than their time, the smallest first. */
  lateness(all: readonly KnownSession[]): readonly number[] {
    return all
      .map(({ sessionId }) => this.sessions.get(sessionId))
      .flatMap((session) => (session?.endedAt === undefined ? [] : [session.endedAt - session.expiresAt]))
      .sort((a, b) => a - b);
  }

  /** For the checker: sessions that no request may touch. */
  storedSessions(all: readonly KnownSession[]): Map<string, StoredSession> {
    return new Map(all.map(({ sessionId }) => [sessionId, { sessionId, status: 'EXPIRED', events: this.sessions.get(sessionId)?.events ?? [] }]));
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#leave.abort();
    await this.#following;
    await this.store.close();
  }

  async #follow(caughtUp: () => void): Promise<void> {
    for await (const item of this.store.subscribe({ after: 'end', categories: ['session'], signal: this.#leave.signal })) {
      if (item === 'caught-up') {
        caughtUp();
        continue;
      }
      const { stream, type, revision, data } = item;
      const sessionId = idOf(stream);
      const session: Followed = this.sessions.get(sessionId) ?? { events: [], expiresAt: 0 };
      this.sessions.set(sessionId, session);
      session.events.push({ type, sequence: revision });
      if (type === 'SessionCreated') session.expiresAt = data['expiresAt'] as number;
      if (ENDS.has(type)) session.endedAt ??= Date.now();
    }
  }
}
