import { type ExpectedRevision, NO_STREAM } from '#engines/event-store';

import { type Delivery, laneOf } from '../domain/delivery.js';
import { nextInLane } from '../domain/lane.js';
import type { DeliveryAt } from '../read-models/delivery-rows.js';

/** The deliveries to one endpoint that memory holds: those that are pending, by lanes, and those that ended and may not be in the tables yet. */
export class KnownDeliveries {
  readonly #all = new Map<string, DeliveryAt>();
  readonly #lanes = new Map<string, Map<string, Delivery>>();
  /** The revisions of the ends, in order. */
  readonly #ended = new Map<string, number>();

  get size(): number {
    return this.#all.size;
  }

  get hasEnded(): boolean {
    return this.#ended.size > 0;
  }

  get(deliveryId: string): DeliveryAt | undefined {
    return this.#all.get(deliveryId);
  }

  set(known: DeliveryAt): void {
    const { delivery, revision } = known;
    const { deliveryId, state } = delivery;
    this.#all.set(deliveryId, known);
    this.#ended.delete(deliveryId);
    if (state !== 'pending') this.#ended.set(deliveryId, revision);
    this.#updateLane(delivery);
  }

  replace(deliveries: readonly DeliveryAt[]): void {
    this.#all.clear();
    this.#lanes.clear();
    this.#ended.clear();
    for (const delivery of deliveries) this.set(delivery);
  }

  *pending(): Iterable<Delivery> {
    for (const lane of this.#lanes.values()) yield* lane.values();
  }

  /** The pending deliveries in the lane of this one, in the order of their addition. */
  lane(delivery: Delivery): readonly Delivery[] {
    return [...(this.#lanes.get(laneOf(delivery))?.values() ?? [])];
  }

  nextOf(delivery: Delivery): Delivery | undefined {
    return nextInLane(this.lane(delivery));
  }

  /** Drops those that ended up to this revision. */
  forgetEnded(upTo: ExpectedRevision): void {
    if (upTo === NO_STREAM) return;
    for (const [deliveryId, revision] of this.#ended) {
      if (revision > upTo) return;
      this.#ended.delete(deliveryId);
      this.#all.delete(deliveryId);
    }
  }

  #updateLane(delivery: Delivery): void {
    const name = laneOf(delivery);
    const lane = this.#lanes.get(name) ?? new Map<string, Delivery>();
    if (delivery.state === 'pending') lane.set(delivery.deliveryId, delivery);
    else lane.delete(delivery.deliveryId);
    if (lane.size > 0) this.#lanes.set(name, lane);
    else this.#lanes.delete(name);
  }
}
