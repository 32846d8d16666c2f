import { type Clock, domainError, type Randomness } from '#kernel';
import { countAfter, type EventStore, type StoreHistory, type StreamName } from '#engines/event-store';
import type { Log, Metrics } from '#telemetry';

import { AppliedEvents } from './applied-events.js';
import type { Projection, ProjectionTables } from './projection.js';
import { placeOf, ProjectionState } from './projection-state.js';
import { Projector } from './projector.js';
import { type ProjectorTimes, TIMES } from './projector-times.js';
import { ReadModel } from './read-model.js';
import { type ReadModels, ReadModelsUnavailable } from './read-models.js';
import { SignsOfLife } from './signs-of-life.js';
import { WaitingRows } from './waiting-rows.js';

export interface ProjectionsParts {
  readonly readModels: ReadModels;
  readonly eventStore: EventStore;
  /** Default: of a store that is never restored. */
  readonly history?: Pick<StoreHistory, 'id' | 'known' | 'restored'> | undefined;
  /** Projections are written when it has resolved. Default: at once. */
  readonly begin?: Promise<void>;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly times?: Partial<ProjectorTimes>;
}

export interface ProjectionStatus {
  readonly name: string;
  readonly version: number;
  /** Whether reads are answered: the tables hold the whole history. */
  readonly complete: boolean;
  /** The position in the store up to which events have been applied; absent before the first one. */
  readonly position?: number;
}

export class ProjectionNotFound extends domainError('not_found') {}

/** How far a projection is behind the store. */
export interface ProjectionBacklog extends Pick<ProjectionStatus, 'name' | 'complete'> {
  /** Stored events that it does not show yet; counts to 1000 (`MOST_WAITING`). Absent where consumers of the bus fill it, and when the count took too long. */
  readonly waiting?: number;
}

/** A count of waiting events stops here, because it reads each of them. */
export const MOST_WAITING = 1_000;
/** A count may take this time. Milliseconds. */
const COUNT_TIME = 2_000;

interface Followed {
  readonly projection: Pick<Projection<unknown, never>, 'name' | 'version' | 'categories' | 'concerns' | 'live'>;
  readonly state: Pick<ProjectionState<unknown>, 'isPrepared' | 'prepare' | 'row' | 'reset'>;
  readonly model: Pick<ReadModel<unknown>, 'appended'>;
  /** Undefined where other processes write. */
  readonly ended: Promise<void> | undefined;
}

/** The read models of this process. One process of all that share the database writes each of them. */
export class Projections {
  readonly #followed = new Map<string, Followed>();
  readonly #stopping = new AbortController();
  readonly #holder: string;
  readonly #waitingRows: WaitingRows;
  readonly #signsOfLife: SignsOfLife;

  constructor(private readonly parts: ProjectionsParts) {
    this.#holder = parts.randomness.uuid();
    const { beat, watch } = { ...TIMES, ...parts.times };
    this.#waitingRows = new WaitingRows(parts.readModels, { interval: watch, signal: this.#stopping.signal });
    this.#signsOfLife = new SignsOfLife(parts.readModels, { holder: this.#holder, interval: beat });
  }

  /** Takes part in writing the projection, and answers how to read it. The same name again answers the same read model. */
  follow<Tables>(projection: Projection<Tables, never>): ReadModel<Tables> {
    const known = this.#followed.get(projection.name);
    if (known?.ended) return known.model as ReadModel<Tables>;
    const any = projection as Projection<Tables>;
    const state = new ProjectionState<Tables>(this.parts.readModels, any);
    const fromBus = new AppliedEvents();
    const shared = { holder: this.#holder, waitingRows: this.#waitingRows, signsOfLife: this.#signsOfLife, stopping: this.#stopping.signal };
    const ended = new Projector<Tables>(any, state, { ...this.parts, ...shared, fromBus }).run();
    return this.#add(any, state, fromBus, ended);
  }

  /** Lists the projection and can rebuild it. The processes that follow the projection write it. */
  administer<Tables>(projection: ProjectionTables<Tables>): void {
    if (this.#followed.has(projection.name)) return;
    const any: Projection<Tables> = { ...projection, categories: [], apply: async () => undefined };
    this.#add(any, new ProjectionState<Tables>(this.parts.readModels, any), new AppliedEvents(), undefined);
  }

  #add<Tables>(
    projection: Projection<Tables>,
    state: ProjectionState<Tables>,
    fromBus: AppliedEvents,
    ended: Promise<void> | undefined,
  ): ReadModel<Tables> {
    const model = new ReadModel<Tables>(this.parts.readModels, projection, state, this.parts.eventStore, fromBus);
    this.#followed.set(projection.name, { projection, state, model, ended });
    return model;
  }

  /** The reads of this process show its append to the stream at once. */
  note(stream: StreamName, revision: number): void {
    for (const { model } of this.#followed.values()) model.appended(stream, revision);
  }

  /** The projections that this process follows or administers. Throws {@link ReadModelsUnavailable}. */
  list(): Promise<readonly ProjectionStatus[]> {
    return Promise.all(
      [...this.#followed.values()].map(async ({ projection: { name, version }, state, ended }) => {
        if (!state.isPrepared && !ended) await state.prepare();
        if (!state.isPrepared) throw new ReadModelsUnavailable('the database of the read models has not been reached yet');
        const row = await state.row();
        const position = row?.position ?? undefined;
        return { name, version, complete: row?.complete === 1, ...(position !== undefined && { position }) };
      }),
    );
  }

  /** How far each of them is behind the store. It reads the events that wait, so call it rarely. Throws {@link ReadModelsUnavailable}. */
  async backlogs(): Promise<readonly ProjectionBacklog[]> {
    const listed = await this.list();
    return Promise.all(
      listed.map(async ({ name, complete }) => {
        const waiting = await this.#waiting(this.#followed.get(name));
        return { name, complete, ...(waiting !== undefined && { waiting }) };
      }),
    );
  }

  async #waiting(followed: Followed | undefined): Promise<number | undefined> {
    if (!followed?.ended || followed.projection.live === 'bus') return undefined;
    const { categories, concerns } = followed.projection;
    const row = await followed.state.row();
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(COUNT_TIME)]);
    return countAfter(this.parts.eventStore, {
      after: row && placeOf(row),
      categories,
      ...(concerns && { concerns: (event) => concerns.call(followed.projection, event) }),
      most: MOST_WAITING,
      signal,
    });
  }

  /** Empties the projection and lets it be built anew from the whole history, while the service runs. Throws {@link ProjectionNotFound} and {@link ReadModelsUnavailable}. */
  async rebuild(name: string): Promise<void> {
    const followed = this.#followed.get(name);
    if (!followed) throw new ProjectionNotFound('no such projection');
    if (!followed.state.isPrepared) await followed.state.prepare();
    await followed.state.reset();
  }

  /** Ends the writing, so that another process begins at once, and closes the database. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#followed.values()].map(async ({ ended }) => ended));
    await this.parts.readModels.close();
  }
}
