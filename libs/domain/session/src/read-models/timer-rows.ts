import type { EventId, SessionId } from '#kernel';
import type { ReadModel } from '#engines/read-model';
import type { Metrics } from '#telemetry';

import type { TimerKind } from '../domain/session-timer.js';
import { sessionStream } from '../streams.js';
import { adoptTimers, countTimers, firstTimers, latestOfEach, removeTimers, type TimerRow, type TimerTables, writeTimers } from './timer-tables.js';

interface Noted {
  readonly row: TimerRow;
  readonly event: EventId;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Rows in one statement. */
const BATCH = 500;
/** Milliseconds from a row to the statement that stores it: most of the cost of a row is that of its statement. No request waits for it, and a timer is due after minutes. */
const LINGER = 20;

/** The rows of the session timers. Every method throws ReadModelsUnavailable while the database cannot be reached, and before the tables are made. */
export class TimerRows {
  readonly #noted: Noted[] = [];
  #writing = false;

  constructor(
    private readonly model: ReadModel<TimerTables>,
    private readonly metrics: Metrics,
  ) {}

  /** Stores what this event of the bus says, unless a row of this or a later revision is there. Rows that come within some milliseconds share a statement. */
  note(row: TimerRow, event: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#noted.push({ row, event: event as EventId, resolve, reject });
      if (this.#writing) return;
      this.#writing = true;
      setTimeout(() => void this.#write(), LINGER);
    });
  }

  /** Replaces rows of the same or an earlier revision. The caller has read the streams at that revision. */
  async renew(rows: readonly TimerRow[]): Promise<void> {
    await this.model.rows((database) => writeTimers(database, rows, { renew: true }));
    this.metrics.sessionTimerRows.inc({ change: 'renewed' }, rows.length);
  }

  /** The first rows of each of the partitions, `limit` of each at most, all by their time. */
  first(partitions: readonly number[], kind: TimerKind, limit: number): Promise<readonly TimerRow[]> {
    return this.model.rows((database) => firstTimers(database, partitions, kind, limit));
  }

  async remove(sessions: readonly SessionId[]): Promise<void> {
    await this.model.rows((database) => removeTimers(database, sessions));
    this.metrics.sessionTimerRows.inc({ change: 'removed' }, sessions.length);
  }

  /** How many rows of the partitions had their time by `at`; counts to `most`. */
  count(of: Parameters<typeof countTimers>[1]): Promise<number> {
    return of.partitions.length === 0 ? Promise.resolve(0) : this.model.rows((database) => countTimers(database, of));
  }

  /** Gives the rows of partitions that the topic has no longer to those that it has. */
  adopt(partitions: number): Promise<void> {
    return this.model.rows((database) => adoptTimers(database, partitions));
  }

  async #write(): Promise<void> {
    while (this.#noted.length > 0) {
      const batch = this.#noted.splice(0, BATCH);
      const rows = latestOfEach(batch.map(({ row }) => row));
      await this.model
        .rows((database) => writeTimers(database, rows))
        .then(
          () => {
            this.metrics.sessionTimerRows.inc({ change: 'noted' }, rows.length);
            for (const { row, event, resolve } of batch) {
              this.model.applied({ stream: sessionStream(row.session_id), revision: row.revision, id: event });
              resolve();
            }
          },
          (error: unknown) => batch.forEach(({ reject }) => reject(error)),
        );
    }
    this.#writing = false;
  }
}
