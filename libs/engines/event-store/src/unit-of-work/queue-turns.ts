import type { KeyedQueue } from '#kernel';

import type { StreamName } from '../event-store.js';
import { BeginAgain } from './begin-again.js';
import type { QueueOrder } from './queue-order.js';

/** The turns that a work has in the queues of its streams: over all its tries, so that it does not lose its place. */
export class QueueTurns {
  readonly #turns = new Map<StreamName, () => void>();
  /** One after the other, so that a try never waits in two queues at once. Undefined while it waits in none. */
  #waiting: Promise<void> | undefined;

  constructor(
    private readonly queue: KeyedQueue,
    private readonly inOrder: QueueOrder,
    /** Those of the work that has started this one, if one did. */
    private readonly outer?: QueueTurns,
  ) {}

  has(stream: StreamName): boolean {
    return this.#turns.has(stream);
  }

  /** Whether this work, or one around it, has the turn. */
  holds(stream: StreamName): boolean {
    return this.has(stream) || this.outer?.holds(stream) === true;
  }

  /** Gives all turns back, and waits for them again in order, and for that of one more stream. */
  async beginAgain(more: StreamName): Promise<void> {
    const streams = [...this.#turns.keys(), more];
    this.end();
    for (const stream of streams.toSorted(this.inOrder)) await this.take(stream);
  }

  /**
   * Takes the turn at once where the queue is free, and answers undefined. Otherwise waits for it in the one order of all works: so works never wait for one another in a circle.
   * Throws, or rejects with, {@link BeginAgain} where it would have to wait out of order, and an Error where it would wait for the work that has started it.
   */
  take(stream: StreamName): Promise<void> | undefined {
    if (!this.#waiting) return this.#takeAtOnce(stream) ? undefined : this.#inLine(this.#wait(stream));
    return this.#inLine(this.#waiting.then(() => (this.#takeAtOnce(stream) ? undefined : this.#wait(stream))));
  }

  /** Gives the queues to the next works. */
  end(): void {
    for (const release of this.#turns.values()) release();
    this.#turns.clear();
  }

  /** Whether the work has the turn now. */
  #takeAtOnce(stream: StreamName): boolean {
    if (this.#turns.has(stream)) return true;
    if (this.outer?.holds(stream)) throw new Error(`a work on ${stream} was started by another work on it, which it would wait for`);
    const release = this.queue.takeAtOnce(stream);
    if (release) this.#turns.set(stream, release);
    return release !== undefined;
  }

  async #wait(stream: StreamName): Promise<void> {
    const isInOrder = [...this.#turns.keys()].every((taken) => this.inOrder(taken, stream) < 0);
    if (!isInOrder) throw new BeginAgain(stream);
    this.#turns.set(stream, await this.queue.take(stream));
  }

  #inLine(taken: Promise<void>): Promise<void> {
    const over = (): void => {
      if (this.#waiting === waiting) this.#waiting = undefined;
    };
    const waiting = taken.then(over, over);
    this.#waiting = waiting;
    return taken;
  }
}
