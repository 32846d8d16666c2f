import type { Place, Position, RecordedEvent } from '#engines/event-store';

/** How far a subscription has come, also where it has no event for its projection. */
export class SubscriptionProgress {
  #stored: Position;
  #reached: Place | undefined;
  #handedOver = 0;
  #applied = 0;
  /** The last event that was applied, or where the subscription began. */
  #last: Place | undefined;

  constructor(after: Place | undefined) {
    this.#last = after;
    this.#stored = positionOf(after);
  }

  /** The number of events that the store has handed over. */
  get handedOver(): number {
    return this.#handedOver;
  }

  /** The number of events that were applied. */
  get done(): number {
    return this.#applied;
  }

  /** Whether each event that was handed over has been applied. */
  get isLevel(): boolean {
    return this.#applied >= this.#handedOver;
  }

  /** The place up to which nothing is left to apply. */
  get place(): Place | undefined {
    return this.isLevel && this.#reached && this.#reached.position > positionOf(this.#last) ? this.#reached : this.#last;
  }

  /** Notes an event that the store has handed over. One that does not concern the projection is passed over. */
  handed(event: RecordedEvent, concerns: boolean): void {
    if (concerns) this.#handedOver += 1;
    else this.#reached = { position: event.position, id: event.id };
  }

  /** The store has told that nothing lies before this event but the events that it has handed over. */
  reach(place: Place): void {
    this.#reached = place;
  }

  /** So many events were applied, up to the last of them. */
  applied(count: number, last: Place | undefined): void {
    this.#applied += count;
    if (!last) return;
    this.#stored = last.position;
    this.#last = { position: last.position, id: last.id };
  }

  /** A place worth storing: no event waits to be applied, and it lies so far ahead. Undefined otherwise. */
  quiet(distance: bigint): Place | undefined {
    if (!this.#reached || this.#applied < this.#handedOver || this.#reached.position < this.#stored + distance) return undefined;
    this.#stored = this.#reached.position;
    return this.#reached;
  }
}

const positionOf = (place: Place | undefined): Position => place?.position ?? 0n;
