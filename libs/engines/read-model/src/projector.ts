import { backgroundPause, type Clock, retry, untilAborted } from '#kernel';
import { type EventStore, type KeptPlace, type Place, type RecordedEvent, type StoreHistory, SubscriptionRefused } from '#engines/event-store';
import type { Log, Metrics } from '#telemetry';

import type { AppliedEvents } from './applied-events.js';
import { batches } from './batches.js';
import type { ProjectionRow } from './migrations.js';
import type { Projection } from './projection.js';
import { ProjectionLag } from './projection-lag.js';
import { type ProjectionLease, ProjectionLeaseLost, placeOf, type ProjectionState } from './projection-state.js';
import { type ProjectorTimes, TIMES } from './projector-times.js';
import type { ReadModels } from './read-models.js';
import type { SignsOfLife } from './signs-of-life.js';
import { SubscriptionProgress } from './subscription-progress.js';
import type { WaitingRows } from './waiting-rows.js';

export interface ProjectorParts {
  readonly readModels: ReadModels;
  readonly eventStore: EventStore;
  /** Default: of a store that is never restored. */
  readonly history?: Pick<StoreHistory, 'id' | 'known' | 'restored'> | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Nothing is written before it has resolved. Default: at once. */
  readonly begin?: Promise<void>;
  /** Of this process among those that share the database. */
  readonly holder: string;
  /** The events that consumers of this process have applied, of a projection that is fed by the bus. */
  readonly fromBus: AppliedEvents;
  /** Shared by all projections of this process. */
  readonly waitingRows: WaitingRows;
  /** Shared by all projections of this process. */
  readonly signsOfLife: SignsOfLife;
  /** Ends everything that runs. */
  readonly stopping: AbortSignal;
  readonly times?: Partial<ProjectorTimes>;
}

/** While no event is known to wait, one count of so many is made: it would find a subscription that hands nothing over. */
const ONE_COUNT_OF = 4;

/** Of failures in a row, the first one is logged and then each so many. */
const LOG_EACH = 60;

/** Positions that a quiet projection may lie behind before its progress is stored without an event. */
const QUIET = 1_000n;

/** Events in one transaction. */
const BATCH = 200;

/**
 * Writes one projection. One of several processes has the lease; it applies the events of the store in batches, and stores the position with each
 * batch. A process that was replaced while it was frozen writes nothing when it continues, as its epoch is over. When the bus feeds the projection,
 * this class writes only the history, each time the tables are new or empty; while they are complete, it checks whether the store was restored.
 */
export class Projector<Tables> {
  readonly #times: ProjectorTimes;
  readonly #lag: ProjectionLag;
  #looked = -Infinity;
  /** Of the store at the last look. */
  #continuity = 0;
  #skippedCounts = 0;

  constructor(
    private readonly projection: Projection<Tables>,
    private readonly state: ProjectionState<Tables>,
    private readonly parts: ProjectorParts,
  ) {
    this.#times = { ...TIMES, ...parts.times };
    this.#lag = new ProjectionLag(projection, parts);
  }

  /** Runs until the signal. A failure is logged, and tried again. */
  async run(): Promise<void> {
    const timers = [setInterval(() => this.#lag.report(), this.#times.beat).unref(), setInterval(() => this.#count(), this.#times.count).unref()];
    await this.#run();
    for (const timer of timers) clearInterval(timer);
    this.#lag.clear();
  }

  /** Each count asks the store. While no event is known to wait, three of four are skipped. */
  #count(): void {
    if (!this.#lag.isBehind && ++this.#skippedCounts % ONE_COUNT_OF !== 0) return;
    void this.#lag.count(this.parts.stopping);
  }

  async #run(): Promise<void> {
    const { stopping, log } = this.parts;
    const follow = async (_attempt: number, progressed: () => void): Promise<void> => {
      while (!stopping.aborted) await this.#follow(progressed).catch(unlessLost);
    };
    const following = retry(follow, {
      waits: this.#times.retry,
      signal: stopping,
      pause: backgroundPause,
      onRetry: (error, failures) => {
        this.#lag.begin();
        if (failures % LOG_EACH === 1) log.warn('a projection was interrupted and resumes', { component: this.projection.name, error });
      },
    });
    await untilAborted(stopping, following);
  }

  async #follow(progressed: () => void): Promise<void> {
    await this.state.prepare();
    await this.parts.begin;
    const lease = await this.#lease();
    progressed();
    if (lease) await this.#write(lease);
  }

  /** Waits for the lease. Undefined when the signal ended the wait. */
  async #lease(): Promise<ProjectionLease | undefined> {
    const { stopping, clock, holder, readModels, waitingRows } = this.parts;
    let seen: { readonly row: ProjectionRow; readonly since: number } | undefined;
    let row = await this.state.row();
    while (!stopping.aborted) {
      if (!row) throw new Error(`the projection ${this.projection.name} has no row`);
      if (row.complete === 1 && this.projection.live === 'bus') {
        this.#lag.clear();
        await this.#look(row);
        await backgroundPause(this.#times.beat, stopping);
        row = await this.state.row();
        continue;
      }
      if (!seen || seen.row.epoch !== row.epoch || seen.row.beat !== row.beat) seen = { row, since: clock.monotonic() };
      const isFree = !readModels.isShared || row.holder === null || row.holder === holder || clock.monotonic() - seen.since >= this.#times.takeOver;
      const history = isFree ? await this.#history() : undefined;
      const lease = history === undefined ? undefined : await this.state.take(row, holder, history);
      if (lease) return lease;
      this.#lag.clear();
      row = await waitingRows.next(this.projection);
    }
    return undefined;
  }

  async #write(lease: ProjectionLease): Promise<void> {
    const { eventStore, stopping, metrics, signsOfLife } = this.parts;
    const { name, version, categories, linger } = this.projection;
    const over = new AbortController();
    const signal = AbortSignal.any([stopping, over.signal]);
    const progress = new SubscriptionProgress(lease.after);
    this.#lag.follow(progress);
    let isComplete = false;
    const signed = async (): Promise<void> => {
      const reached = progress.quiet(QUIET);
      if (reached !== undefined) await this.state.reach(lease, this.#kept(reached));
    };
    const endSigns = signsOfLife.keep({ name, version, epoch: lease.epoch, signed, ended: (reason) => over.abort(reason) });
    try {
      const after = lease.after === undefined ? {} : { after: lease.after };
      const items = eventStore.subscribe({ ...after, categories, signal, restored: 'refuse', reached: (place) => progress.reach(place) });
      const concerns = (event: RecordedEvent): boolean => {
        const isOurs = this.#concerns(event);
        progress.handed(event, isOurs);
        return isOurs;
      };
      for await (const { events, caughtUp, place } of batches(items, { size: BATCH, linger, concerns })) {
        if (events.length > 0 || (caughtUp && !isComplete)) await this.state.advance(lease, events, { place: place && this.#kept(place), caughtUp });
        if (caughtUp && !isComplete) this.projection.completed?.();
        isComplete ||= caughtUp;
        if (isComplete && this.projection.live === 'bus') return;
        progress.applied(events.length, place);
        this.#lag.applied(isComplete);
        metrics.projectedEvents.inc({ projection: name }, events.length);
      }
      over.signal.throwIfAborted();
    } catch (error) {
      if (!(error instanceof SubscriptionRefused && error.reason === 'restored')) throw error;
      await this.#buildAnew(lease.epoch);
    } finally {
      endSigns();
      over.abort();
      await this.state.release(lease).catch(() => undefined);
    }
  }

  /** Whether the event has to be applied. If so, it counts as waiting from now on. */
  #concerns(event: RecordedEvent): boolean {
    if (this.projection.concerns?.(event) === false) return false;
    this.#lag.begin();
    return true;
  }

  /** For tables that are fed by the bus: checks that the store has the events that they were made of, and stores how far it has. Throws {@link ProjectionLeaseLost}. */
  async #look(row: ProjectionRow): Promise<void> {
    const { clock, eventStore, fromBus } = this.parts;
    const { continuity } = eventStore;
    if (continuity === this.#continuity && clock.monotonic() < this.#looked + this.#times.look) return;
    const history = await this.#history();
    if (history === undefined) return;
    const found = row.history !== history || (await this.#isOlderThan(placeOf(row))) ? 'lacking' : await fromBus.lookUp(eventStore);
    [this.#looked, this.#continuity] = [clock.monotonic(), continuity];
    if (found === 'lacking') {
      await this.#buildAnew(row.epoch);
      fromBus.clear();
    } else if (found) await this.state.reach({ epoch: row.epoch, after: undefined }, this.#kept(found));
  }

  /** The place with the marks that tell later whether the store is still the same. */
  #kept({ position, id }: Place): KeptPlace {
    return { position, id, marks: this.parts.eventStore.marksUpTo(position) };
  }

  /** Undefined when the signal ended the wait for it. */
  async #history(): Promise<string | undefined> {
    const { history } = this.parts;
    if (!history) return '';
    await history.known;
    return history.id;
  }

  /** Whether the store lacks the event at the place. */
  async #isOlderThan(after: ProjectionLease['after']): Promise<boolean> {
    if (after === undefined) return false;
    const over = new AbortController();
    const signal = AbortSignal.any([this.parts.stopping, over.signal]);
    try {
      const { categories } = this.projection;
      for await (const _item of this.parts.eventStore.subscribe({ after, categories, signal, restored: 'refuse' })) break;
      return false;
    } catch (error) {
      if (error instanceof SubscriptionRefused && error.reason === 'restored') return true;
      throw error;
    } finally {
      over.abort();
    }
  }

  async #buildAnew(epoch: number): Promise<void> {
    const { name } = this.projection;
    // The tables are begun again in the history that this names.
    await this.parts.history?.restored(undefined);
    await this.state.reset(epoch);
    this.parts.log.warn('the store was restored from an older copy, and a projection is built anew', { component: name });
    this.parts.metrics.projectionRebuilds.inc({ projection: name });
  }
}

const unlessLost = (error: unknown): void => {
  if (!(error instanceof ProjectionLeaseLost)) throw error;
};
