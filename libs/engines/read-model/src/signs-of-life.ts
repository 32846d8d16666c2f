import type { BookkeepingTables, ProjectionRow } from './migrations.js';
import { lost } from './projection-state.js';
import type { ReadModels } from './read-models.js';

/** A projection that this process writes. */
export interface Written extends Pick<ProjectionRow, 'name' | 'version' | 'epoch'> {
  /** Called after each sign of life. */
  signed(): Promise<void>;
  /** The process may not write the projection any more, or it cannot show that it still runs. Also called when `signed` rejects. */
  ended(reason: unknown): void;
}

/** Shows other processes that this one still runs: one statement for all projections that it writes, however many there are. */
export class SignsOfLife {
  readonly #written = new Set<Written>();
  #timer: NodeJS.Timeout | undefined;
  #isSigning = false;

  constructor(
    private readonly readModels: ReadModels,
    private readonly options: {
      /** This process, by the name with which it has taken its leases. */
      readonly holder: string;
      /** Between two signs, in milliseconds. */
      readonly interval: number;
    },
  ) {}

  /** Shows it for this projection too, until the answered function is called. */
  keep(written: Written): () => void {
    this.#written.add(written);
    this.#timer ??= setInterval(() => void this.sign(), this.options.interval).unref();
    return () => {
      this.#written.delete(written);
      if (this.#written.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  /** Gives one sign, unless the last one is still under way. Never rejects: the projections are told. */
  async sign(): Promise<void> {
    if (this.#isSigning) return;
    this.#isSigning = true;
    const kept = [...this.#written];
    try {
      const rows = await this.#renew();
      for (const written of kept.filter((each) => this.#written.has(each))) {
        const { name, version, epoch } = written;
        if (rows.some((row) => row.name === name && row.version === version && row.epoch === epoch)) void written.signed().catch(written.ended);
        else written.ended(lost(written));
      }
    } catch (error) {
      for (const written of kept) written.ended(error);
    } finally {
      this.#isSigning = false;
    }
  }

  #renew(): Promise<readonly Pick<ProjectionRow, 'name' | 'version' | 'epoch'>[]> {
    return this.readModels.query<BookkeepingTables, readonly Pick<ProjectionRow, 'name' | 'version' | 'epoch'>[]>((database) =>
      database
        .updateTable('projections')
        .set(({ eb }) => ({ beat: eb('beat', '+', 1) }))
        .where('holder', '=', this.options.holder)
        .returning(['name', 'version', 'epoch'])
        .execute(),
    );
  }
}
