import type { EndpointId } from '#kernel';
import { decideAndAppend, type ExpectedRevision, NO_STREAM, type StoreAndClock, type StreamName, streamName } from '#event-store';

import { type Delivery, evolveDelivery, laneOf } from '../domain/delivery.js';
import type { DeliveryEvent } from '../domain/delivery.events.js';
import { nextInLane } from '../domain/lane.js';
import { LOG_RETENTION } from '../domain/retention.js';

export const deliveryLogStream = (endpointId: EndpointId): StreamName => streamName('deliverylog', endpointId);

/** Events in one append. */
const BATCH = 500;
/** Events in one read: a log may be long, and a read has a time limit. */
const PAGE = 2_000;

interface Waiting {
  readonly event: DeliveryEvent;
  readonly resolve: (delivery: Delivery | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** The append that is under way: the revision of its first event, and for each event the delivery after it, if the event applied. */
interface OwnEvents {
  first: number;
  after: (Delivery | undefined)[];
}

/**
 * The deliveries to one endpoint. Its stream is the truth; this is a copy in memory. Each append expects an exact revision. After a conflict
 * the events of other processes are read, and the decision is taken again. So every delivery has one end, however many processes work on it.
 */
export class DeliveryLog {
  readonly #deliveries = new Map<string, Delivery>();
  readonly #pending = new Map<string, Map<string, Delivery>>();
  readonly #stream: StreamName;
  #waiting: Waiting[] = [];
  #recording = false;
  #reading = Promise.resolve();
  #nextReading: Promise<void> | undefined;
  /** The revision of the last event that was read or appended here. A conflict does not move it. */
  #revision: ExpectedRevision = NO_STREAM;
  #own: OwnEvents | undefined;
  #failingSince: number | undefined;

  constructor(
    readonly endpointId: EndpointId,
    private readonly storeAndClock: StoreAndClock,
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

  /** The pending deliveries. */
  *pending(): Iterable<Delivery> {
    for (const lane of this.#pending.values()) yield* lane.values();
  }

  /** The pending deliveries in the lane of this one, in the order of their addition. */
  lane(delivery: Delivery): readonly Delivery[] {
    return [...(this.#pending.get(laneOf(delivery))?.values() ?? [])];
  }

  /** Whether the delivery is the next one of its lane. */
  isNext(delivery: Delivery): boolean {
    return nextInLane(this.lane(delivery))?.deliveryId === delivery.deliveryId;
  }

  /** Reads the events that other processes have recorded until now. */
  refresh(): Promise<void> {
    // A read that is under way may miss events recorded since it began. All calls during it share the next one.
    this.#nextReading ??= this.#reading
      .catch(() => undefined)
      .then(() => {
        this.#nextReading = undefined;
        this.#reading = this.#readOn();
        return this.#reading;
      });
    return this.#nextReading;
  }

  /**
   * Resolves when the event is on disk, with the delivery after it; with undefined when the event does not apply, because another process was
   * first. Simultaneous calls share an append.
   */
  record(event: DeliveryEvent): Promise<Delivery | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ event, resolve, reject });
      if (!this.#recording) void this.#recordAll();
    });
  }

  /** Drops from memory the ended deliveries whose last change is older than `at` (epoch milliseconds): the stream drops them too. */
  forgetBefore(at: number): void {
    for (const [id, { state, changedAt }] of this.#deliveries) if (state !== 'pending' && changedAt < at) this.#deliveries.delete(id);
  }

  async #readOn(): Promise<void> {
    for (;;) {
      const page = await this.storeAndClock.store.read<DeliveryEvent>(this.#stream, { from: revisionAfter(this.#revision), limit: PAGE });
      for (const event of page) this.#take(event, event.revision);
      if (page.length < PAGE) return;
    }
  }

  async #recordAll(): Promise<void> {
    this.#recording = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH);
      try {
        const taken = await this.#append(batch.map(({ event }) => event));
        batch.forEach(({ resolve }, index) => resolve(taken[index]));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    // No `await` since the queue was seen empty: the next call starts a new loop.
    this.#recording = false;
  }

  /** For each event the delivery after it, if the event applies. */
  async #append(events: readonly DeliveryEvent[]): Promise<readonly (Delivery | undefined)[]> {
    const own: OwnEvents = { first: 0, after: [] };
    try {
      const { loaded, appended } = await decideAndAppend(this.storeAndClock, this.#stream, {
        load: async (conflict) => {
          this.#own = undefined;
          if (conflict) await this.#readOn();
          // When the read ends before the conflict's revision, the events between have expired (EventStore.read). Even if a store showed them
          // later, none would be missed: only the append goes behind them, and the read that follows it begins before them.
          return { revision: laterOf(this.#revision, conflict?.actual ?? NO_STREAM), after: this.#applied(events) };
        },
        decide: async ({ revision, after }) => {
          const applicable = events.filter((_, index) => after[index]);
          if (applicable.length === 0) return [];
          [own.first, own.after] = [revisionAfter(revision), []];
          this.#own = own;
          if (revision === NO_STREAM) await this.storeAndClock.store.setRetention(this.#stream, { maxAge: LOG_RETENTION / 1_000 });
          return applicable;
        },
      });
      if (appended.length === 0) return loaded.after;
      if (loaded.revision === this.#revision) appended.forEach((event, index) => this.#take(event, own.first + index));
      else await this.#readOn();
      const after = own.after.values();
      return loaded.after.map((delivery) => delivery && after.next().value);
    } finally {
      this.#own = undefined;
    }
  }

  /** The deliveries after the events, without recording them. */
  #applied(events: readonly DeliveryEvent[]): readonly (Delivery | undefined)[] {
    const changed = new Map<string, Delivery>();
    return events.map((event) => {
      const { deliveryId } = event.data;
      const after = evolveDelivery(changed.get(deliveryId) ?? this.#deliveries.get(deliveryId), event);
      if (after) changed.set(deliveryId, after);
      return after;
    });
  }

  /** Nothing happens when the event is known: a refresh and an append may bring the same one. */
  #take(event: DeliveryEvent, revision: number): void {
    if (revision < revisionAfter(this.#revision)) return;
    this.#revision = revision;
    const after = evolveDelivery(this.#deliveries.get(event.data.deliveryId), event);
    if (this.#own && revision >= this.#own.first) this.#own.after[revision - this.#own.first] = after;
    if (!after) return;
    this.#deliveries.set(after.deliveryId, after);
    this.#updateLane(after);
    if (event.type === 'DeliveryAttempted') this.#failingSince = event.data.end === 'succeeded' ? undefined : (this.#failingSince ?? event.data.at);
  }

  #updateLane(delivery: Delivery): void {
    const name = laneOf(delivery);
    const lane = this.#pending.get(name) ?? new Map<string, Delivery>();
    if (delivery.state === 'pending') lane.set(delivery.deliveryId, delivery);
    else lane.delete(delivery.deliveryId);
    if (lane.size > 0) this.#pending.set(name, lane);
    else this.#pending.delete(name);
  }
}

const revisionAfter = (revision: ExpectedRevision): number => (revision === NO_STREAM ? 0 : revision + 1);

const laterOf = (one: ExpectedRevision, other: ExpectedRevision): ExpectedRevision => (revisionAfter(one) > revisionAfter(other) ? one : other);

/** The logs of this process, each opened once. */
export class DeliveryLogs {
  readonly #logs = new Map<EndpointId, Promise<DeliveryLog>>();

  constructor(private readonly storeAndClock: StoreAndClock) {}

  of(endpointId: EndpointId): Promise<DeliveryLog> {
    const known = this.#logs.get(endpointId);
    if (known) return known;
    const log = this.#open(endpointId);
    this.#logs.set(endpointId, log);
    log.catch(() => this.#logs.delete(endpointId));
    return log;
  }

  async #open(endpointId: EndpointId): Promise<DeliveryLog> {
    const log = new DeliveryLog(endpointId, this.storeAndClock);
    await log.refresh();
    return log;
  }
}
