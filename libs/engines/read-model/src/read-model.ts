import type { Kysely } from 'kysely';
import { type EventStore, idOf, type KeptPlace, type Position, type StreamName, SubscriptionRefused } from '#engines/event-store';
import { pause } from '#kernel';

import type { AppliedEvent, AppliedEvents } from './applied-events.js';
import type { ProjectionRow } from './migrations.js';
import type { Projection } from './projection.js';
import { placeOf, type ProjectionState } from './projection-state.js';
import { type ReadModels, ReadModelsUnavailable } from './read-models.js';

/** Milliseconds between two checks, and how many checks a read waits for the events that it has to show. */
const CHECK_INTERVAL = 20;
const MOST_CHECKS = 100;
/** How many of its own appends a process remembers until the read model shows them. */
const REMEMBERED = 1_000;
/** A read model that lags by more events is waited for in another round. */
const BEHIND = 10_000;

/** The reading side of a projection. */
export class ReadModel<Tables> {
  readonly #appended = new Map<string, number>();

  constructor(
    private readonly readModels: ReadModels,
    private readonly projection: Projection<Tables>,
    private readonly state: ProjectionState<Tables>,
    private readonly eventStore: EventStore,
    private readonly fromBus: AppliedEvents,
  ) {}

  /** Remembers an append of this process, which the reads after it show. */
  appended(stream: StreamName, revision: number): void {
    if (!this.projection.progress || !stream.startsWith(`${this.projection.progress.category}-`)) return;
    this.#appended.set(idOf(stream), revision);
    const [oldest] = this.#appended.keys();
    if (this.#appended.size > REMEMBERED && oldest !== undefined) this.#appended.delete(oldest);
  }

  /** Remembers that a consumer of the bus has applied the event to the rows: when the store turns out to lack it, the rows are built anew. */
  applied(event: AppliedEvent): void {
    this.fromBus.add(event);
  }

  /**
   * Queries that may be run again. They see all events up to some moment, this process's own appends included; those of other processes
   * with a short delay. Throws {@link ReadModelsUnavailable} while the tables are being built, and while the database cannot be reached.
   */
  async read<Result>(work: (database: Kysely<Tables>) => Promise<Result>): Promise<Result> {
    await this.#ownAppends();
    for (let check = 0; check < MOST_CHECKS; check++) {
      const before = await this.#row();
      if (before?.complete === 1) {
        const result = await this.readModels.query(work);
        // A rebuild in between has shown half a model.
        if ((await this.#row())?.epoch === before.epoch) return result;
      } else await pause(CHECK_INTERVAL);
    }
    throw new ReadModelsUnavailable(`the read model ${this.projection.name} is being built`);
  }

  /**
   * Queries and changes of the rows as they are, also while the history is being built. Throws {@link ReadModelsUnavailable} before the tables are made, and while the
   * database cannot be reached.
   */
  async rows<Result>(work: (database: Kysely<Tables>) => Promise<Result>): Promise<Result> {
    if (!this.state.isPrepared) throw new ReadModelsUnavailable(`the tables of ${this.projection.name} have not been made yet`);
    return this.readModels.query(work);
  }

  /** Waits until the event has been applied, also while the history is being built. Throws {@link ReadModelsUnavailable} when that takes long. */
  async reaches(stream: StreamName, revision: number): Promise<void> {
    if (!(await this.#shows(new Map([[idOf(stream), revision]]))))
      throw new ReadModelsUnavailable(`the read model ${this.projection.name} has not reached the event yet`);
  }

  /**
   * Waits until all events that concern the projection have been applied up to this position, that of such an event, also while the history is
   * being built. Throws {@link ReadModelsUnavailable} when that takes long.
   */
  async covers(position: Position): Promise<void> {
    for (let check = 0; check < MOST_CHECKS; check++) {
      if (((await this.#row())?.position ?? -1) >= position) return;
      await pause(CHECK_INTERVAL);
    }
    throw new ReadModelsUnavailable(`the read model ${this.projection.name} has not reached position ${position} yet`);
  }

  /**
   * Waits until reads show all stored events; those of the last second may be missing, since a store may hand them over later. Throws
   * {@link ReadModelsUnavailable} when that takes long.
   */
  async current(): Promise<void> {
    const row = await this.#made();
    const newest = await this.#newestAfter(placeOf(row));
    if (newest !== undefined) await this.covers(newest);
  }

  /** Removes rows of events that the caller has erased from the store. A rebuild brings them back while the store still hands over their events. */
  async remove(work: (database: Kysely<Tables>) => Promise<unknown>): Promise<void> {
    await this.readModels.query(work);
  }

  /** An event for which a read cannot wait any longer is shown by a later read. */
  async #ownAppends(): Promise<void> {
    const appended = new Map(this.#appended);
    if (appended.size === 0) return;
    await this.#shows(appended);
    for (const [id, revision] of appended) if (this.#appended.get(id) === revision) this.#appended.delete(id);
  }

  async #shows(wanted: ReadonlyMap<string, number>): Promise<boolean> {
    for (let check = 0; check < MOST_CHECKS; check++) {
      const found = await this.#revisions([...wanted.keys()]);
      if ([...wanted].every(([id, revision]) => (found.get(id) ?? -1) >= revision)) return true;
      await pause(CHECK_INTERVAL);
    }
    return false;
  }

  async #made(): Promise<ProjectionRow> {
    for (let check = 0; check < MOST_CHECKS; check++) {
      const row = await this.#row();
      if (row) return row;
      await pause(CHECK_INTERVAL);
    }
    throw new ReadModelsUnavailable(`the read model ${this.projection.name} has not been made yet`);
  }

  /** The position of the newest event that has not been applied. */
  async #newestAfter(after: KeptPlace | undefined): Promise<Position | undefined> {
    const enough = new AbortController();
    let [newest, count]: [Position | undefined, number] = [undefined, 0];
    try {
      const { categories } = this.projection;
      for await (const item of this.eventStore.subscribe({ ...(after && { after }), categories, signal: enough.signal, restored: 'refuse' })) {
        if (item === 'caught-up') break;
        if (this.projection.concerns?.(item) === false) continue;
        newest = item.position;
        if (++count > BEHIND) throw new ReadModelsUnavailable(`the read model ${this.projection.name} is more than ${BEHIND} events behind`);
      }
      return newest;
    } catch (error) {
      if (!(error instanceof SubscriptionRefused && error.reason === 'restored')) throw error;
      throw new ReadModelsUnavailable(`the read model ${this.projection.name} holds events that the store lacks, and is built anew`);
    } finally {
      enough.abort();
    }
  }

  /** The tables may not be there yet. */
  async #revisions(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return (await this.#row()) ? this.state.revisions(ids) : new Map();
  }

  async #row(): Promise<ProjectionRow | undefined> {
    return this.state.isPrepared ? this.state.row() : undefined;
  }
}
