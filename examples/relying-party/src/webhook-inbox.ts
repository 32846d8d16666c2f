import { EventEmitter } from 'node:events';

import type { WebhookEvent } from '#relying-party-client';

/** A message that was taken. */
export interface InboxEntry {
  /** From 1, in the order of arrival. */
  readonly number: number;
  readonly event: WebhookEvent;
  /** Something later about the same session had come before: old news. */
  readonly late: boolean;
}

/** The library forgets the oldest ones beyond this. */
const MOST = 200;

/**
 * What the login service has told the library's server, each message once. In memory, as everything in this demo: a real relying party
 * keeps it in its database before it answers.
 */
export class WebhookInbox {
  readonly #entries = new Map<string, InboxEntry>();
  readonly #arrivals = new EventEmitter().setMaxListeners(0);
  #last = 0;

  /** Whether the message is new: one that comes again changes nothing. */
  take(event: WebhookEvent): boolean {
    if (this.#entries.has(event.id)) return false;
    const entry = { number: ++this.#last, event, late: this.#isLate(event) };
    this.#entries.set(event.id, entry);
    for (const id of this.#entries.keys()) {
      if (this.#entries.size <= MOST) break;
      this.#entries.delete(id);
    }
    this.#arrivals.emit('entry', entry);
    return true;
  }

  /** The last that came, the newest first. */
  latest(count: number): readonly InboxEntry[] {
    return [...this.#entries.values()].slice(-count).reverse();
  }

  /** What came after that one, the oldest first; all of them when there never was such a number. */
  after(number: number): readonly InboxEntry[] {
    return [...this.#entries.values()].filter((entry) => entry.number > number || number > this.#last);
  }

  /** Until the signal; each entry as it comes. */
  follow(listener: (entry: InboxEntry) => void, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#arrivals.on('entry', listener);
    signal.addEventListener('abort', () => this.#arrivals.off('entry', listener), { once: true });
  }

  /** Messages go by sequence, not by arrival. */
  #isLate({ data: { sessionId, sequence = 0 } }: WebhookEvent): boolean {
    return [...this.#entries.values()].some(({ event: { data } }) => sessionId !== undefined && data.sessionId === sessionId && (data.sequence ?? 0) > sequence);
  }
}
