import type { Clock } from '#kernel';

import type { BookkeepingTables, ProjectionRow } from './migrations.js';
import type { ReadModels } from './read-models.js';

interface Seen extends Pick<ProjectionRow, 'epoch' | 'beat'> {
  /** By the monotonic clock. */
  readonly since: number;
}

/** The tables that releases before this one have left, of the same projection. */
export class FormerVersions {
  /** By version. */
  readonly #seen = new Map<number, Seen>();

  constructor(
    private readonly readModels: ReadModels,
    private readonly projection: { readonly name: string; readonly version: number; readonly tables: readonly string[] },
    private readonly clock: Clock,
  ) {}

  /**
   * Removes the tables to which no process has written for `silence`, in milliseconds; at once when no other process can write. Call it repeatedly.
   * A process of the former release that starts again builds its tables anew.
   */
  async remove(silence: number): Promise<void> {
    const { name, version } = this.projection;
    const rows = await this.readModels.query<BookkeepingTables, readonly ProjectionRow[]>((database) =>
      database.selectFrom('projections').selectAll().where('name', '=', name).where('version', '<', version).execute(),
    );
    for (const row of rows) if (this.#isSilent(row, silence)) await this.#drop(row);
  }

  #isSilent({ version, epoch, beat }: ProjectionRow, silence: number): boolean {
    if (!this.readModels.isShared) return true;
    const now = this.clock.monotonic();
    const seen = this.#seen.get(version);
    if (seen?.epoch === epoch && seen.beat === beat) return now - seen.since >= silence;
    this.#seen.set(version, { epoch, beat, since: now });
    return false;
  }

  async #drop({ name, version, epoch, beat, tables }: ProjectionRow): Promise<void> {
    await this.readModels.transaction<BookkeepingTables, void>(async (transaction) => {
      // A process that wrote meanwhile has changed the row, and keeps the tables.
      const { numDeletedRows } = await transaction
        .deleteFrom('projections')
        .where('name', '=', name)
        .where('version', '=', version)
        .where('epoch', '=', epoch)
        .where('beat', '=', beat)
        .executeTakeFirst();
      if (numDeletedRows !== 1n) return;
      const own = new Set(this.projection.tables);
      for (const table of JSON.parse(tables ?? '[]') as readonly string[])
        if (!own.has(table)) await transaction.schema.dropTable(table).ifExists().execute();
    });
  }
}
