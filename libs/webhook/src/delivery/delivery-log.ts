import { type EndpointId, type Randomness } from '#kernel';
import { EventIds, type EventStore, type ExpectedRevision, NO_STREAM, type StreamName, streamName, WrongExpectedRevision } from '#event-store';

import { type Delivery, evolveDelivery, laneOf } from '../domain/delivery.js';
import type { DeliveryEvent } from '../domain/delivery.events.js';
import { nextInLane } from '../domain/lane.js';

export const deliveryLogStream = (endpointId: EndpointId): StreamName => streamName('deliverylog', endpointId);

/** Seconds that outcomes are kept. */
const RETENTION = 30 * 86_400;
const MOST_IN_ONE_APPEND = 500;
/** A log may be long, and a read may take only so long. Events. */
const PAGE = 2_000;

interface Waiting {
  readonly event: DeliveryEvent;
  readonly resolve: (delivery: Delivery | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * What became of the messages to one endpoint: the truth in its stream, and a picture of it in memory. Whoever records does so at
 * the exact revision; what others recorded first is taken in, and the event tried again on that. So every
 * delivery has one end, however many processes work on it.
 */
export class DeliveryLog {
  readonly #deliveries = new Map<string, Delivery>();
  readonly #pending = new Map<string, Map<string, Delivery>>();
  readonly #stream: StreamName;
  #waiting: Waiting[] = [];
  #recording = false;
  #reading = Promise.resolve();
  #nextReading: Promise<void> | undefined;
  #revision: ExpectedRevision = NO_STREAM;
  #failingSince: number | undefined;

  constructor(
    readonly endpointId: EndpointId,
    private readonly store: EventStore,
    private readonly randomness: Randomness,
  ) {
    this.#stream = deliveryLogStream(endpointId);
  }

  /** Since when no attempt has succeeded, epoch milliseconds; undefined when the last one did. */
  get failingSince(): number | undefined {
    return this.#failingSince;
  }

  get(deliveryId: string): Delivery | undefined {
    return this.#deliveries.get(deliveryId);
  }

  /** What is under way. */
  *pending(): Iterable<Delivery> {
    for (const lane of this.#pending.values()) yield* lane.values();
  }

  /** What is under way to tell of the same session, in the order of addition. */
  lane(delivery: Delivery): readonly Delivery[] {
    return [...(this.#pending.get(laneOf(delivery))?.values() ?? [])];
  }

  /** Whether it is its turn in its lane. */
  isNext(delivery: Delivery): boolean {
    return nextInLane(this.lane(delivery))?.deliveryId === delivery.deliveryId;
  }

  /** Takes in what others recorded until now. */
  refresh(): Promise<void> {
    // A reading that is under way may have passed what was recorded meanwhile: many who ask then share the next one.
    this.#nextReading ??= this.#reading
      .catch(() => undefined)
      .then(() => {
        this.#nextReading = undefined;
        this.#reading = this.#readOn();
        return this.#reading;
      });
    return this.#nextReading;
  }

  /** On disk when this resolves: the delivery after the event, or undefined when that did not follow and was not recorded. Many at once share an append. */
  record(event: DeliveryEvent): Promise<Delivery | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ event, resolve, reject });
      if (!this.#recording) void this.#recordAll();
    });
  }

  /** Forgets, here in memory, what the stream forgets too. */
  forgetBefore(at: number): void {
    for (const [id, { state, changedAt }] of this.#deliveries) if (state !== 'pending' && changedAt < at) this.#deliveries.delete(id);
  }

  async #readOn(): Promise<void> {
    for (;;) {
      const from = this.#revision === NO_STREAM ? 0 : this.#revision + 1;
      const page = await this.store.read(this.#stream, { from, limit: PAGE });
      for (const { type, data, revision } of page) {
        if (this.#revision !== NO_STREAM && revision <= this.#revision) continue;
        this.#take({ type, data } as unknown as DeliveryEvent);
        this.#revision = revision;
      }
      if (page.length < PAGE) return;
    }
  }

  async #recordAll(): Promise<void> {
    this.#recording = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MOST_IN_ONE_APPEND);
      try {
        const taken = await this.#append(batch.map(({ event }) => event));
        batch.forEach(({ resolve }, index) => resolve(taken[index]));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    // In the same turn as the look that found nothing: whoever comes next begins anew.
    this.#recording = false;
  }

  /** For each event the delivery after it, if it followed. */
  async #append(events: readonly DeliveryEvent[]): Promise<readonly (Delivery | undefined)[]> {
    const ids = new EventIds(this.randomness);
    for (;;) {
      const after = this.#imagine(events);
      const following = events.filter((_, index) => after[index]);
      if (following.length === 0) return after;
      try {
        if (this.#revision === NO_STREAM) await this.store.setRetention(this.#stream, { maxAge: RETENTION });
        const { revision } = await this.store.append(this.#stream, this.#revision, following.map((event) => ({ ...event, id: ids.next(this.#stream) })));
        // A refresh may have taken them in meanwhile.
        if (this.#revision === NO_STREAM || revision > this.#revision) {
          following.forEach((event) => this.#take(event));
          this.#revision = revision;
        }
        return after;
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision)) throw error;
        await this.#catchUp(error.actual);
      }
    }
  }

  /** Everything may have expired: then only the conflict tells where the stream stands. */
  async #catchUp(actual: ExpectedRevision): Promise<void> {
    const before = this.#revision;
    await this.#readOn();
    if (this.#revision === before) this.#revision = actual;
  }

  #imagine(events: readonly DeliveryEvent[]): readonly (Delivery | undefined)[] {
    const changed = new Map<string, Delivery>();
    return events.map((event) => {
      const { deliveryId } = event.data;
      const after = evolveDelivery(changed.get(deliveryId) ?? this.#deliveries.get(deliveryId), event);
      if (after) changed.set(deliveryId, after);
      return after;
    });
  }

  #take(event: DeliveryEvent): void {
    const after = evolveDelivery(this.#deliveries.get(event.data.deliveryId), event);
    if (!after) return;
    this.#deliveries.set(after.deliveryId, after);
    this.#fileInLane(after);
    if (event.type === 'DeliveryAttempted') this.#failingSince = event.data.end === 'succeeded' ? undefined : (this.#failingSince ?? event.data.at);
  }

  #fileInLane(delivery: Delivery): void {
    const name = laneOf(delivery);
    const lane = this.#pending.get(name) ?? new Map<string, Delivery>();
    if (delivery.state === 'pending') lane.set(delivery.deliveryId, delivery);
    else lane.delete(delivery.deliveryId);
    if (lane.size > 0) this.#pending.set(name, lane);
    else this.#pending.delete(name);
  }
}

/** The logs that this process works with, each read once. */
export class DeliveryLogs {
  readonly #logs = new Map<EndpointId, Promise<DeliveryLog>>();

  constructor(
    private readonly store: EventStore,
    private readonly randomness: Randomness,
  ) {}

  of(endpointId: EndpointId): Promise<DeliveryLog> {
    const known = this.#logs.get(endpointId);
    if (known) return known;
    const log = this.#open(endpointId);
    this.#logs.set(endpointId, log);
    log.catch(() => this.#logs.delete(endpointId));
    return log;
  }

  async #open(endpointId: EndpointId): Promise<DeliveryLog> {
    const log = new DeliveryLog(endpointId, this.store, this.randomness);
    await log.refresh();
    return log;
  }
}
