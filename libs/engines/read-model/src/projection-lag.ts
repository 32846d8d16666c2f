import type { Clock } from '#kernel';
import { countAfter, type EventStore, type RecordedEvent } from '#engines/event-store';
import type { Metrics } from '#telemetry';

import type { Projection } from './projection.js';
import type { SubscriptionProgress } from './subscription-progress.js';

/** A count stops here, because it reads each event. */
const MOST_COUNTED = 10_000;
/** A count may take this time. Milliseconds. */
const COUNT_TIME = 5_000;

interface LagParts {
  readonly eventStore: EventStore;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'projectionLag' | 'projectionLagEvents'>;
}

/**
 * Reports as metrics how far one projection is behind the store, in the process that writes it. The seconds run from the last moment whose events are
 * all in the read model. That is the moment when no event was left to apply. Under load some event always waits, so it is the moment of a count, once
 * all events that the count has found are applied.
 */
export class ProjectionLag {
  /** When the seconds begin, by the monotonic clock. Undefined while no event waits. */
  #since: number | undefined;
  #progress: SubscriptionProgress | undefined;
  /** The last count. Once `done` events are applied, the read model shows all events up to `at`. */
  #mark: { readonly at: number; readonly done: number } | undefined;

  constructor(
    private readonly projection: Pick<Projection<never>, 'name' | 'categories' | 'concerns'>,
    private readonly parts: LagParts,
  ) {}

  /** Whether an event is known to wait. */
  get isBehind(): boolean {
    return this.#since !== undefined;
  }

  /** This process begins to read the events, first the history. */
  follow(progress: SubscriptionProgress): void {
    this.#progress = progress;
    this.#mark = undefined;
    this.begin();
  }

  /** An event waits. The seconds begin now, unless an earlier event waits already. */
  begin(): void {
    this.#since ??= this.parts.clock.monotonic();
  }

  /** Events were applied. `caughtUp`: the whole history is applied. */
  applied(caughtUp: boolean): void {
    if (caughtUp && this.#progress?.isLevel) this.#since = this.#mark = undefined;
    if (!this.#mark || !this.#progress || this.#progress.done < this.#mark.done) return;
    if (this.#since !== undefined) this.#since = Math.max(this.#since, this.#mark.at);
    this.#mark = undefined;
  }

  /** This process no longer writes: another process does, or consumers of the bus do. Removes the metrics. */
  clear(): void {
    this.#since = this.#progress = this.#mark = undefined;
    const { name: projection } = this.projection;
    this.parts.metrics.projectionLag.remove({ projection });
    this.parts.metrics.projectionLagEvents.remove({ projection });
  }

  /** Sets the gauge of the seconds. Call it regularly: the seconds grow without any event. */
  report(): void {
    if (this.#since === undefined && !this.#progress) return;
    const { clock, metrics } = this.parts;
    const seconds = this.#since === undefined ? 0 : (clock.monotonic() - this.#since) / 1_000;
    metrics.projectionLag.set({ projection: this.projection.name }, seconds);
  }

  /**
   * Counts the waiting events by a read of its own, so it notices a subscription that hands nothing over. When the store does not answer in time, the
   * last count stays.
   */
  async count(stopping: AbortSignal): Promise<void> {
    const progress = this.#progress;
    if (!progress) return;
    const { name, categories } = this.projection;
    const concerns = (event: RecordedEvent): boolean => this.projection.concerns?.(event) !== false;
    const { handedOver, done, place: after } = progress;
    const at = this.parts.clock.monotonic();
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(COUNT_TIME)]);
    const options = { after, categories, concerns, most: MOST_COUNTED, signal };
    const events = await countAfter(this.parts.eventStore, options).catch(() => undefined);
    if (events === undefined || !this.#progress) return;
    this.parts.metrics.projectionLagEvents.set({ projection: name }, events);
    // During the count the process may have begun to read anew.
    if (progress !== this.#progress) return;
    if (events > 0 && handedOver === progress.handedOver) this.begin();
    if (events < MOST_COUNTED) this.#mark ??= { at, done: done + events };
    this.applied(events === 0 && handedOver === progress.handedOver);
  }
}
