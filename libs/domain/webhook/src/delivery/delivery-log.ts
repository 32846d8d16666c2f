import type { EndpointId } from '#kernel';
import { decideAndAppend, type ExpectedRevision, NO_STREAM, type StoreAndClock, type StreamName } from '#engines/event-store';

import { type Delivery, evolveDelivery } from '../domain/delivery.js';
import type { DeliveryEvent } from '../domain/delivery.events.js';
import type { DeliveriesAt, DeliveryRows } from '../read-models/delivery-rows.js';
import { DELIVERY_LOGS, deliveryLogStream } from '../streams.js';
import { KnownDeliveries } from './known-deliveries.js';

export interface DeliveryLogParts extends StoreAndClock {
  readonly rows: Pick<DeliveryRows, 'pending' | 'find'>;
}

/** Events in one append. */
const BATCH = 500;
/** Events in one read: a log may be long, and a read has a time limit. */
const PAGE = 2_000;

interface Waiting {
  readonly event: DeliveryEvent;
  readonly resolve: (delivery: Delivery | undefined) => void;
  readonly reject: (error: unknown) => void;
}

type Find = (deliveryId: string) => Delivery | undefined;

const NOTHING: DeliveriesAt = { revision: NO_STREAM, failingSince: undefined, deliveries: [] };

/** The append that is under way: the revision of its first event, and for each event the delivery after it, if the event applied. */
interface OwnEvents {
  first: number;
  after: (Delivery | undefined)[];
}

/**
 * The deliveries to one endpoint. Its stream is the truth; memory holds the pending ones and those that ended a moment ago, the tables hold
 * all. Each append expects an exact revision. After a conflict the events of other processes are read, and the decision is taken again. So
 * every delivery has one end, however many processes work on it.
 *
 * Everything throws ReadModelsUnavailable while the tables are being built: only they tell a repeated event from a new one.
 */
export class DeliveryLog {
  readonly #known = new KnownDeliveries();
  readonly #stream: StreamName;
  #isOpen = false;
  #waiting: Waiting[] = [];
  #recording = false;
  #reading = Promise.resolve();
  #nextReading: Promise<void> | undefined;
  /** The revision of the last event that was read or appended here. A conflict does not move it. */
  #revision: ExpectedRevision = NO_STREAM;
  /** The tables hold all events up to this revision: a delivery that is not in memory is in them. */
  #tabled: ExpectedRevision = NO_STREAM;
  #lookUps = Promise.resolve<unknown>(undefined);
  #own: OwnEvents | undefined;
  #failingSince: number | undefined;

  constructor(
    readonly endpointId: EndpointId,
    private readonly parts: DeliveryLogParts,
    /** False after the store was restored from an older copy: memory holds the whole log. */
    private trustsTables = true,
  ) {
    this.#stream = deliveryLogStream(endpointId);
  }

  /** Since when no attempt has succeeded, epoch milliseconds; undefined when the last one did. */
  get failingSince(): number | undefined {
    return this.#failingSince;
  }

  /** The deliveries in memory. */
  get size(): number {
    return this.#known.size;
  }

  /** A delivery that is pending or has just ended; undefined for all others. {@link find} finds them, too. */
  get(deliveryId: string): Delivery | undefined {
    return this.#known.get(deliveryId)?.delivery;
  }

  /** Those of these deliveries that the log knew at the last {@link refresh}. */
  async find(deliveryIds: readonly string[]): Promise<ReadonlyMap<string, Delivery>> {
    const found = await this.#lookUp(deliveryIds);
    return new Map(deliveryIds.flatMap((id) => found(id) ?? []).map((delivery) => [delivery.deliveryId, delivery]));
  }

  /** The pending deliveries. */
  pending(): Iterable<Delivery> {
    return this.#known.pending();
  }

  /** The pending deliveries in the lane of this one, in the order of their addition. */
  lane(delivery: Delivery): readonly Delivery[] {
    return this.#known.lane(delivery);
  }

  /** Whether the delivery is the next one of its lane. */
  isNext(delivery: Delivery): boolean {
    return this.#known.nextOf(delivery)?.deliveryId === delivery.deliveryId;
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

  /** Drops from memory the ended deliveries that the tables hold. */
  async forgetEnded(): Promise<void> {
    if (this.#known.hasEnded) await this.#lookUp([]);
  }

  async #readOn(): Promise<void> {
    if (!this.#isOpen) await this.#open();
    for (;;) {
      const page = await this.parts.store.read<DeliveryEvent>(this.#stream, { from: revisionAfter(this.#revision), limit: PAGE });
      for (const event of page) this.#take(event, event.revision);
      if (page.length < PAGE) return;
    }
  }

  async #open(): Promise<void> {
    const { revision, failingSince, deliveries } = this.trustsTables ? await this.parts.rows.pending(this.endpointId) : NOTHING;
    this.#known.replace(deliveries);
    [this.#revision, this.#tabled, this.#failingSince, this.#isOpen] = [revision, revision, failingSince, true];
  }

  /** How to find these deliveries, also those that have ended. Only one call at a time runs, so that none drops a delivery that another uses. */
  #lookUp(deliveryIds: readonly string[]): Promise<Find> {
    const found = this.#lookUps.then(() => this.#lookUpNow(deliveryIds));
    this.#lookUps = found.catch(() => undefined);
    return found;
  }

  async #lookUpNow(deliveryIds: readonly string[]): Promise<Find> {
    const missing = deliveryIds.filter((id) => !this.#known.get(id));
    if (!this.trustsTables || (deliveryIds.length > 0 && missing.length === 0)) return (id) => this.get(id);
    const { revision, deliveries } = await this.parts.rows.find(this.endpointId, missing);
    if (revisionAfter(revision) < revisionAfter(this.#tabled)) {
      // The tables were restored from an older copy, or have been built anew.
      this.#isOpen = false;
      await this.refresh();
      return this.#lookUpNow(deliveryIds);
    }
    this.#tabled = revision;
    // Memory drops ended deliveries now; the tables were asked only for those that memory did not hold.
    const held = deliveryIds.flatMap((id) => this.#known.get(id) ?? []);
    this.#known.forgetEnded(revision);
    const found = new Map([...deliveries, ...held].map(({ delivery }) => [delivery.deliveryId, delivery]));
    return (id) => this.get(id) ?? found.get(id);
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
      const { loaded, appended } = await decideAndAppend(this.parts, this.#stream, {
        load: async (conflict) => {
          this.#own = undefined;
          if (conflict && revisionAfter(conflict.actual) < revisionAfter(conflict.expected)) this.trustsTables = this.#isOpen = false;
          if (conflict || !this.#isOpen) await this.refresh();
          const found = await this.#lookUp([...new Set(events.map(({ data }) => data.deliveryId))]);
          // When the read ends before the conflict's revision, the events between have expired (EventStore.read). Even if a store showed them
          // later, none would be missed: only the append goes behind them, and the read that follows it begins before them.
          return { revision: laterOf(this.#revision, conflict?.actual ?? NO_STREAM), after: applied(events, found) };
        },
        decide: async ({ revision, after }) => {
          const applicable = events.filter((_, index) => after[index]);
          if (applicable.length === 0) return [];
          [own.first, own.after] = [revisionAfter(revision), []];
          this.#own = own;
          if (revision === NO_STREAM) await DELIVERY_LOGS.retain(this.parts.store, this.#stream);
          return applicable;
        },
      });
      if (appended.length === 0) return loaded.after;
      const later = loaded.after.filter((delivery) => delivery !== undefined);
      if (loaded.revision === this.#revision) appended.forEach((event, index) => this.#take(event, own.first + index, later[index]));
      else await this.refresh();
      const after = own.after.values();
      return loaded.after.map((delivery) => delivery && after.next().value);
    } finally {
      this.#own = undefined;
    }
  }

  /** Nothing happens when the event is known: a refresh and an append may bring the same one. `decided`: the delivery after an own event. */
  #take(event: DeliveryEvent, revision: number, decided?: Delivery): void {
    if (revision < revisionAfter(this.#revision)) return;
    this.#revision = revision;
    const known = this.#known.get(event.data.deliveryId);
    // The tables may be ahead of this read.
    const after = known && known.revision >= revision ? undefined : (decided ?? evolveDelivery(known?.delivery, event));
    if (this.#own && revision >= this.#own.first) this.#own.after[revision - this.#own.first] = after;
    if (!after) return;
    this.#known.set({ delivery: after, revision });
    if (event.type === 'DeliveryAttempted') this.#failingSince = event.data.end === 'succeeded' ? undefined : (this.#failingSince ?? event.data.at);
  }
}

/** The deliveries after the events, without recording them; undefined for an event that does not apply. */
const applied = (events: readonly DeliveryEvent[], find: Find): readonly (Delivery | undefined)[] => {
  const changed = new Map<string, Delivery>();
  return events.map((event) => {
    const { deliveryId } = event.data;
    const after = evolveDelivery(changed.get(deliveryId) ?? find(deliveryId), event);
    if (after) changed.set(deliveryId, after);
    return after;
  });
};

const revisionAfter = (revision: ExpectedRevision): number => (revision === NO_STREAM ? 0 : revision + 1);

const laterOf = (one: ExpectedRevision, other: ExpectedRevision): ExpectedRevision => (revisionAfter(one) > revisionAfter(other) ? one : other);
