import type { Position, RecordedEvent } from '#event-store';
import type { SessionId } from '#kernel';

import type { SessionEvent } from '../domain/session.events.js';

interface OpenSession {
  /** When time ends it, epoch milliseconds. */
  readonly deadline: number;
  /** Of the session event before the one that created it. */
  readonly before: Position;
}

/**
 * The sessions that time may still have to end, and when. As many as are open at once, some minutes' worth, at about 200 bytes;
 * no decision is taken on it.
 */
export class OpenSessions {
  /** In the order of their creation. */
  readonly #open = new Map<SessionId, OpenSession>();

  /** Fed with all session events after `position`, in their order. */
  constructor(private position: Position) {}

  /** After this position lies everything about the sessions that are open now: where to begin next time. */
  get since(): Position {
    for (const { before } of this.#open.values()) return before;
    return this.position;
  }

  apply(recorded: RecordedEvent): void {
    this.#note(recorded.stream.slice('session-'.length) as SessionId, recorded as unknown as SessionEvent);
    this.position = recorded.position;
  }

  /** Those whose time is up by then. */
  dueBy(at: number): readonly { readonly sessionId: SessionId; readonly deadline: number }[] {
    return [...this.#open].flatMap(([sessionId, { deadline }]) => (deadline <= at ? [{ sessionId, deadline }] : []));
  }

  forget(sessionId: SessionId): void {
    this.#open.delete(sessionId);
  }

  #note(sessionId: SessionId, { type, data }: SessionEvent): void {
    switch (type) {
      case 'SessionCreated':
        this.#open.set(sessionId, { deadline: data.expiresAt, before: this.position });
        return;
      case 'SessionConfirmed': {
        const known = this.#open.get(sessionId);
        if (known && data.buildExpiresAt !== undefined) this.#open.set(sessionId, { ...known, deadline: data.buildExpiresAt });
        else this.forget(sessionId);
        return;
      }
      case 'SessionCompleted':
      case 'SessionCancelled':
      case 'SessionExpired':
        this.forget(sessionId);
        return;
      default:
        return;
    }
  }
}
