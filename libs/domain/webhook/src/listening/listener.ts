import type { Place } from '#engines/event-store';
import type { Watch } from '#kernel';

import type { WebhookMessage } from '../domain/delivery.events.js';

/** A message that a listener hears. */
export interface HeardMessage {
  /** Of the stored event. */
  readonly eventId: string;
  readonly message: WebhookMessage;
  /** Of the event, in the whole store. */
  readonly place: Place;
}

/** Messages that may wait for one listener: some 400 bytes each. One that reads more slowly is left. */
export const MOST_WAITING = 500;

export interface ListenerParts {
  readonly watch: Watch;
  readonly wake: () => void;
  readonly left: (listener: Listener) => void;
}

/** The messages that wait for one open connection. Holds at most {@link MOST_WAITING}. */
export class Listener {
  readonly #waiting: HeardMessage[] = [];
  #isOver = false;

  constructor(private readonly parts: ListenerParts) {}

  /** Whether it hears nothing more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether no message waits. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  hear(heard: HeardMessage): void {
    if (this.#isOver) return;
    if (this.#waiting.length >= MOST_WAITING) {
      this.end();
      return;
    }
    this.#waiting.push(heard);
    this.parts.wake();
  }

  /** The oldest message that waits. */
  take(): HeardMessage | undefined {
    return this.#waiting.shift();
  }

  /** Resolves at the next message or at the end, after so many milliseconds, or when the signal aborts. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    await this.parts.watch.next(milliseconds, signal);
  }

  /** It hears nothing more, and what waits is dropped. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#waiting.length = 0;
    this.parts.wake();
    this.parts.watch.close();
    this.parts.left(this);
  }
}
