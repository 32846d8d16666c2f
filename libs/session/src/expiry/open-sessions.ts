import { idOf, type Position, type RecordedEvent } from '#event-store';
import type { SessionId } from '#kernel';

import type { SessionEvent } from '../domain/session.events.js';

interface OpenSession {
  /** Epoch milliseconds. */
  readonly deadline: number;
  /** Position of the last session event before its creation. */
  readonly before: Position;
}

/**
 * The sessions that are open and their deadlines, about 200 bytes each. No decision is taken on it.
 */
export class OpenSessions {
  /** In the order of their creation. */
  readonly #open = new Map<SessionId, OpenSession>();

  /** `apply` must be called with all session events after `position`, in order. */
  constructor(private position: Position) {}

  /** All events of the sessions that are open now lie after this position: a later instance may begin here. */
  get since(): Position {
    for (const { before } of this.#open.values()) return before;
    return this.position;
  }

  apply(recorded: RecordedEvent<SessionEvent>): void {
    this.#update(idOf<SessionId>(recorded.stream), recorded);
    this.position = recorded.position;
  }

  /** The sessions whose deadline is at or before that time, epoch milliseconds. */
  dueBy(at: number): readonly { readonly sessionId: SessionId; readonly deadline: number }[] {
    return [...this.#open].flatMap(([sessionId, { deadline }]) => (deadline <= at ? [{ sessionId, deadline }] : []));
  }

  forget(sessionId: SessionId): void {
    this.#open.delete(sessionId);
  }

  #update(sessionId: SessionId, { type, data }: SessionEvent): void {
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
