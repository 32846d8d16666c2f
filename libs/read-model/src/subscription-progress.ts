import type { Position, SubscriptionItem } from '#event-store';

/** How far a subscription has come, also where it has no event for its projection. */
export class SubscriptionProgress {
  #stored: Position;
  #reached: Position = 0n;
  #handedOver = 0;
  #applied = 0;

  constructor(after: Position | undefined) {
    this.#stored = after ?? 0n;
  }

  /** The items, counted before the store is asked for the next one. */
  async *counted(items: AsyncIterable<SubscriptionItem>): AsyncGenerator<SubscriptionItem, void, void> {
    for await (const item of items) {
      if (item !== 'caught-up') this.#handedOver += 1;
      yield item;
    }
  }

  /** The store has told that nothing lies before this position but the events that it has handed over. */
  reach(position: Position): void {
    this.#reached = position;
  }

  /** So many events were applied, up to the position. */
  applied(count: number, position: Position | undefined): void {
    this.#applied += count;
    if (position !== undefined) this.#stored = position;
  }

  /** A position worth storing: no event waits to be applied, and it lies so far ahead. Undefined otherwise. */
  quiet(distance: bigint): Position | undefined {
    if (this.#applied < this.#handedOver || this.#reached < this.#stored + distance) return undefined;
    this.#stored = this.#reached;
    return this.#reached;
  }
}
