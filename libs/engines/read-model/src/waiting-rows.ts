import { backgroundPause } from '#kernel';

import type { BookkeepingTables, ProjectionRow } from './migrations.js';
import type { ReadModels } from './read-models.js';

interface Named {
  readonly name: string;
  readonly version: number;
}

/** The rows of the projections that a process waits to write: one query reads all of them, however many there are. */
export class WaitingRows {
  #names = new Set<string>();
  #next: Promise<readonly ProjectionRow[]> | undefined;

  constructor(
    private readonly readModels: ReadModels,
    private readonly times: {
      /** Between two looks, in milliseconds. */
      readonly interval: number;
      /** Ends the wait for the next look. */
      readonly signal: AbortSignal;
    },
  ) {}

  /** The row at the next look, which all share that wait for one. Undefined when there is none. Throws ReadModelsUnavailable. */
  async next({ name, version }: Named): Promise<ProjectionRow | undefined> {
    this.#names.add(name);
    this.#next ??= this.#look();
    const rows = await this.#next;
    return rows.find((row) => row.name === name && row.version === version);
  }

  async #look(): Promise<readonly ProjectionRow[]> {
    const { interval, signal } = this.times;
    await backgroundPause(interval, signal);
    const names = [...this.#names];
    this.#names = new Set();
    this.#next = undefined;
    if (signal.aborted) return [];
    return this.readModels.query<BookkeepingTables, readonly ProjectionRow[]>((database) =>
      database.selectFrom('projections').selectAll().where('name', 'in', names).execute(),
    );
  }
}
