import type { EventStore } from '#event-store';
import { streamName } from '#event-store';
import { SessionPublication } from '#session';

import { announced } from '../domain/announced.js';

const MANY = 1_000;

/** How far a session has gone. */
export class SessionProgress {
  readonly #publication: SessionPublication;

  constructor(private readonly store: EventStore) {
    this.#publication = new SessionPublication(store);
  }

  /** The types that were announced after that revision; `gone` when the session's stream has been deleted. */
  async after(sessionId: string, revision: number): Promise<readonly string[] | 'gone'> {
    const [first] = await this.store.read(streamName('session', sessionId), { limit: 1 });
    if (!first) return 'gone';
    const messages = await this.#publication.messagesOf(sessionId, revision + 1, revision + MANY);
    return messages.flatMap((message) => announced(message)?.type ?? []);
  }
}
