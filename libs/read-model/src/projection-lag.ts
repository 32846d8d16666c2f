import type { Clock } from '#kernel';
import { countAfter, type EventStore, type RecordedEvent } from '#event-store';
import type { Metrics } from '#telemetry';

import type { Projection } from './projection.js';
import type { SubscriptionProgress } from './subscription-progress.js';

/** A count goes no further, since it reads the events. */
const MOST_COUNTED = 10_000;
/** Milliseconds for a count. */
const COUNT_TIME = 5_000;

interface LagParts {
  readonly eventStore: EventStore;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'projectionLag' | 'projectionLagEvents'>;
}

/**
 * How far one projection is behind the store, as metrics of the process that writes it. The seconds begin at the last moment whose events the read model shows: when
 * nothing was left to apply, or, since that never happens under load, when the events that a count has found are applied.
 */
export class ProjectionLag {
  /** By the monotonic clock. Undefined while nothing waits. */
  #since: number | undefined;
  #progress: SubscriptionProgress | undefined;
  /** Once so many events are applied, the read model shows all events of that moment. */
  #mark: { readonly at: number; readonly done: number } | undefined;

  constructor(
    private readonly projection: Pick<Projection<never>, 'name' | 'categories' | 'concerns'>,
    private readonly parts: LagParts,
  ) {}

  /** This process reads the events, beginning with history. */
  follow(progress: SubscriptionProgress): void {
    this.#progress = progress;
    this.#mark = undefined;
    this.begin();
  }

  /** Events wait from now on, if none has waited before. */
  begin(): void {
    this.#since ??= this.parts.clock.monotonic();
  }

  /** Events were applied. `caughtUp`: the history is. */
  applied(caughtUp: boolean): void {
    if (caughtUp && this.#progress?.isLevel) this.#since = this.#mark = undefined;
    if (!this.#mark || !this.#progress || this.#progress.done < this.#mark.done) return;
    if (this.#since !== undefined) this.#since = Math.max(this.#since, this.#mark.at);
    this.#mark = undefined;
  }

  /** Another process writes the read model, or consumers of the bus do. */
  clear(): void {
    this.#since = this.#progress = this.#mark = undefined;
    const { name: projection } = this.projection;
    this.parts.metrics.projectionLag.remove({ projection });
    this.parts.metrics.projectionLagEvents.remove({ projection });
  }

  /** Sets the gauge of the seconds, which grows while nothing happens. */
  report(): void {
    if (this.#since === undefined && !this.#progress) return;
    const { clock, metrics } = this.parts;
    const seconds = this.#since === undefined ? 0 : (clock.monotonic() - this.#since) / 1_000;
    metrics.projectionLag.set({ projection: this.projection.name }, seconds);
  }

  /**
   * Counts the events that wait, by a look of its own at the store: so it notices a subscription that hands nothing over. Nothing is changed while the store does
   * not answer in time.
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
    // Meanwhile the reading may have begun again.
    if (progress !== this.#progress) return;
    if (events > 0 && handedOver === progress.handedOver) this.begin();
    if (events < MOST_COUNTED) this.#mark ??= { at, done: done + events };
    this.applied(events === 0 && handedOver === progress.handedOver);
  }
}
