import type { Clock } from '#kernel';
import { type EventStore, streamName } from '#event-store';
import { SessionPublication } from '#session';

import { webhookMessageOf } from '../domain/webhook-message.js';

/** More events than a session has. */
const MANY = 1_000;

/** What a session announced later. */
export class SessionProgress {
  readonly #publication: SessionPublication;

  constructor(
    private readonly store: EventStore,
    clock: Clock,
  ) {
    this.#publication = new SessionPublication(store, clock);
  }

  /** The types that were announced after that revision; `unreadable` when the store does not show it: it was erased, or cannot be read yet. */
  async after(sessionId: string, revision: number): Promise<readonly string[] | 'unreadable'> {
    const [event] = await this.store.read(streamName('session', sessionId), { from: revision, limit: 1 });
    if (!event) return 'unreadable';
    const messages = await this.#publication.messagesOf(sessionId, revision + 1, revision + MANY);
    return messages.flatMap((message) => webhookMessageOf(message)?.type ?? []);
  }
}
