import { type Kysely, sql } from 'kysely';

import type { EventId } from '#kernel';
import type { KeptPlace, Place, RecordedEvent } from '#engines/event-store';

import type { BookkeepingTables, ProjectionRow } from './migrations.js';
import type { Projection } from './projection.js';
import type { ReadModels } from './read-models.js';

/** Another process writes the projection now, or it is being rebuilt: this lease is over. */
export class ProjectionLeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** The right to write a projection until another process takes it. */
export interface ProjectionLease {
  /** The fencing token. */
  readonly epoch: number;
  /** The position to go on from. */
  readonly after: KeptPlace | undefined;
}

export interface ProjectionProgress {
  /** The last event, to go on from. */
  readonly place: KeptPlace | undefined;
  readonly caughtUp: boolean;
}

type Bookkeeping = Kysely<BookkeepingTables>;

/** The row of one projection in `projections`. */
export class ProjectionState<Tables> {
  #isPrepared = false;

  constructor(
    private readonly readModels: ReadModels,
    private readonly projection: Projection<Tables>,
  ) {}

  /** Whether this object has found or made the tables. */
  get isPrepared(): boolean {
    return this.#isPrepared;
  }

  /** Makes the bookkeeping and the tables where they are missing. */
  async prepare(): Promise<void> {
    const { name, version } = this.projection;
    await this.readModels.migrate();
    await this.readModels.transaction<Tables, void>(async (transaction) => {
      // A second process waits here for the commit of the first one.
      const inserted = await bookkeeping(transaction)
        .insertInto('projections')
        .values({ name, version, position: null, event_id: null, marks: null, history: null, complete: 0, epoch: 0, holder: null, beat: 0 })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (inserted.numInsertedOrUpdatedRows === 1n) await this.#makeTables(transaction);
    });
    this.#isPrepared = true;
  }

  /** Undefined while the projection has never been prepared. */
  async row(): Promise<ProjectionRow | undefined> {
    const { name, version } = this.projection;
    return this.readModels.query<BookkeepingTables, ProjectionRow | undefined>((database) =>
      database.selectFrom('projections').selectAll().where('name', '=', name).where('version', '=', version).executeTakeFirst(),
    );
  }

  /** Takes the lease if the row is still as `seen`. Tables that are begun now belong to the history. */
  async take(seen: ProjectionRow, holder: string, history: string): Promise<ProjectionLease | undefined> {
    const { epoch, beat } = seen;
    const taken = await this.#change(epoch, { holder, epoch: epoch + 1, beat: 0, ...(seen.history === null && { history }) }, beat);
    return taken ? { epoch: epoch + 1, after: placeOf(seen) } : undefined;
  }

  /** Stores how far the store has come without an event for the projection. A further position stays, and so does that of a later lease. */
  async reach({ epoch }: ProjectionLease, place: KeptPlace): Promise<void> {
    const position = Number(place.position);
    const { name, version } = this.projection;
    await this.readModels.query<BookkeepingTables, unknown>((database) =>
      database
        .updateTable('projections')
        .set(columnsOf(place))
        .where('name', '=', name)
        .where('version', '=', version)
        .where('epoch', '=', epoch)
        .where(({ eb, or }) => or([eb('position', 'is', null), eb('position', '<', position)]))
        .execute(),
    );
  }

  /** Lets another process begin at once. */
  async release({ epoch }: ProjectionLease): Promise<void> {
    await this.#change(epoch, { holder: null });
  }

  /** Applies the events and stores the progress, both or none. Throws {@link ProjectionLeaseLost} when the lease is over, and then changes nothing. */
  async advance({ epoch }: ProjectionLease, events: readonly RecordedEvent[], { place, caughtUp }: ProjectionProgress): Promise<void> {
    const { name, version } = this.projection;
    await this.readModels.transaction<Tables, void>(async (transaction) => {
      // The row comes first: its lock keeps a taker waiting until this batch is committed, or refuses this batch.
      const { numUpdatedRows } = await bookkeeping(transaction)
        .updateTable('projections')
        // The epoch stays; there is always something to set.
        .set({ epoch, ...(place && columnsOf(place)), ...(caughtUp && { complete: 1 }) })
        .where('name', '=', name)
        .where('version', '=', version)
        .where('epoch', '=', epoch)
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) throw lost(this.projection);
      if (this.projection.applyAll) await this.projection.applyAll(transaction, events);
      else for (const event of events) await this.projection.apply(transaction, event);
    });
  }

  /** Empties the tables and ends the current lease: the next lease begins with the first event. With an epoch, only while that lasts. */
  async reset(epoch?: number): Promise<void> {
    const { name, version } = this.projection;
    await this.readModels.transaction<Tables, void>(async (transaction) => {
      const update = bookkeeping(transaction)
        .updateTable('projections')
        .set(({ eb }) => ({ position: null, event_id: null, marks: null, history: null, complete: 0, holder: null, epoch: eb('epoch', '+', 1) }))
        .where('name', '=', name)
        .where('version', '=', version);
      const { numUpdatedRows } = await (epoch === undefined ? update : update.where('epoch', '=', epoch)).executeTakeFirst();
      if (epoch !== undefined && numUpdatedRows !== 1n) throw lost(this.projection);
      await this.#makeTables(transaction);
    });
  }

  /** The last revision applied of each of these ids, those without a row left out. */
  async revisions(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (!this.projection.progress) throw new TypeError(`the projection ${this.projection.name} does not tell its progress by stream`);
    const { table, id } = this.projection.progress;
    const column = sql.ref<string>(id);
    const query = sql<{
      id: string;
      revision: number;
    }>`select ${column} as id, revision from ${sql.table(table)} where ${column} in (${sql.join(ids)})`;
    const { rows } = await this.readModels.query((database) => query.execute(database));
    return new Map(rows.map(({ id, revision }) => [id, revision]));
  }

  /** In place of those that are there. */
  async #makeTables(transaction: Kysely<Tables>): Promise<void> {
    for (const table of this.projection.tables) await transaction.schema.dropTable(table).ifExists().execute();
    await this.projection.create(transaction);
  }

  async #change(epoch: number, values: Partial<ProjectionRow>, beat?: number): Promise<boolean> {
    const { name, version } = this.projection;
    return this.readModels.query<BookkeepingTables, boolean>(async (database) => {
      const update = database
        .updateTable('projections')
        .set(values)
        .where('name', '=', name)
        .where('version', '=', version)
        .where('epoch', '=', epoch);
      const { numUpdatedRows } = await (beat === undefined ? update : update.where('beat', '=', beat)).executeTakeFirst();
      return numUpdatedRows === 1n;
    });
  }
}

export const placeOf = ({ position, event_id, marks }: ProjectionRow): ProjectionLease['after'] =>
  position === null ? undefined : { position: BigInt(position), id: event_id as EventId, marks: marksIn(marks) };

const columnsOf = ({ position, id, marks }: KeptPlace): Pick<ProjectionRow, 'position' | 'event_id' | 'marks'> => ({
  position: Number(position),
  event_id: id,
  marks: JSON.stringify(marks?.map((mark) => [Number(mark.position), mark.id]) ?? []),
});

const marksIn = (text: string | null): readonly Place[] =>
  (JSON.parse(text ?? '[]') as [number, EventId][]).map(([position, id]) => ({ position: BigInt(position), id }));

/** The same database, seen with the tables of the bookkeeping. */
const bookkeeping = (transaction: unknown): Bookkeeping => transaction as Bookkeeping;

export const lost = ({ name }: { readonly name: string }): ProjectionLeaseLost =>
  new ProjectionLeaseLost(`the projection ${name} is written by another process, or is being rebuilt`);
