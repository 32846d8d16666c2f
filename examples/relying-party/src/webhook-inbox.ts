import { EventEmitter } from 'node:events';

import type { WebhookEvent } from '#clients/relying-party';

/** An accepted message. */
export interface InboxEntry {
  /** From 1, in the order of arrival. */
  readonly number: number;
  readonly event: WebhookEvent;
  /** A later message about the same session arrived before this one. */
  readonly late: boolean;
}

/** The oldest entries beyond this number are dropped. */
const MAX_ENTRIES = 200;

/**
 * The messages that the login service sent, each once. They are in memory, as everything in this demo; a real relying party stores
 * them in its database before it answers.
 */
export class WebhookInbox {
  readonly #entries = new Map<string, InboxEntry>();
  readonly #arrivals = new EventEmitter().setMaxListeners(0);
  #last = 0;

  /** Adds the message and answers true; false for a repeated one, which changes nothing. */
  take(event: WebhookEvent): boolean {
    if (this.#entries.has(event.id)) return false;
    const entry = { number: ++this.#last, event, late: this.#isLate(event) };
    this.#entries.set(event.id, entry);
    for (const id of this.#entries.keys()) {
      if (this.#entries.size <= MAX_ENTRIES) break;
      this.#entries.delete(id);
    }
    this.#arrivals.emit('entry', entry);
    return true;
  }

  /** The latest entries, the newest first. */
  latest(count: number): readonly InboxEntry[] {
    return [...this.#entries.values()].slice(-count).reverse();
  }

  /** The entries after that number, the oldest first; all of them when the number was never given out. */
  after(number: number): readonly InboxEntry[] {
    return [...this.#entries.values()].filter((entry) => entry.number > number || number > this.#last);
  }

  /** Calls back with each new entry until the signal. */
  follow(listener: (entry: InboxEntry) => void, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#arrivals.on('entry', listener);
    signal.addEventListener('abort', () => this.#arrivals.off('entry', listener), { once: true });
  }

  /** The sequence counts, not the order of arrival. */
  #isLate({ data: { sessionId, sequence = 0 } }: WebhookEvent): boolean {
    return [...this.#entries.values()].some(
      ({ event: { data } }) => sessionId !== undefined && data.sessionId === sessionId && (data.sequence ?? 0) > sequence,
    );
  }
}
