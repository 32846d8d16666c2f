import type { Assignment } from '#engines/message-bus';
import type { Metrics } from '#telemetry';

import type { TimerRows } from '../read-models/timer-rows.js';
import type { TimerRow } from '../read-models/timer-tables.js';
import { PartitionTimers, type PartitionTimersParts } from './partition-timers.js';

/** Milliseconds of real time between two checks of the rows, even when none is known to be due: another process may have stored rows of the partitions, or built them anew. */
const CHECK_INTERVAL = 10_000;
const REPORT_EVERY = 5_000;
/** The metric counts to this. */
const MOST_COUNTED = 100_000;

interface SessionTimersParts extends Omit<PartitionTimersParts, 'renewed'> {
  readonly rows: TimerRows;
  readonly metrics: Metrics;
  /** Milliseconds between two reports of the metrics. Default: {@link REPORT_EVERY}. */
  readonly reportEvery?: number;
}

/** Ends sessions, erases results and deletes sessions, each when it is due: those of the partitions that the bus gives to this process. */
export class SessionTimers {
  readonly #lanes: readonly PartitionTimers[];
  #adopted = 0;

  constructor(private readonly parts: SessionTimersParts) {
    const renewed = (row: TimerRow): void => this.noted(row);
    // Ends of sessions wait for no deletion.
    this.#lanes = (['deadline', 'result', 'deletion'] as const).map((kind) => new PartitionTimers(kind, { ...parts, renewed }));
  }

  /** The bus has given these partitions to this process, and others to other processes. */
  assigned(assignment: Assignment): void {
    this.parts.share.change(assignment);
    this.look();
  }

  /** This process has stored the row. */
  noted(row: TimerRow): void {
    this.#lanes.find(({ kind }) => kind === row.kind)?.noteRow(row);
  }

  /** Works until the signal. Several processes may work on the same session: one append wins. */
  async run(): Promise<void> {
    const { stopping, reportEvery = REPORT_EVERY } = this.parts;
    const looking = setInterval(() => this.look(), CHECK_INTERVAL).unref();
    const reporting = setInterval(() => void this.#report().catch(() => undefined), reportEvery).unref();
    stopping.addEventListener('abort', () => {
      clearInterval(looking);
      clearInterval(reporting);
    });
    await Promise.all(this.#lanes.map((lane) => lane.work()));
  }

  /** Looks at the rows, even when none is known to be due. */
  look(): void {
    for (const lane of this.#lanes) lane.look();
    void this.#adopt().catch(() => undefined); // repeated at the next look
  }

  /** A topic that was made anew may have fewer partitions than the rows name. */
  async #adopt(): Promise<void> {
    const { share, rows } = this.parts;
    const { partitions, owned } = share;
    if (!owned.includes(0) || this.#adopted === partitions) return;
    await rows.adopt(partitions);
    this.#adopted = partitions;
  }

  async #report(): Promise<void> {
    const { rows, share, clock, metrics, waits } = this.parts;
    const now = clock.now();
    for (const { kind, behindSince } of this.#lanes) {
      metrics.sessionTimersLag.set({ kind }, behindSince === undefined ? 0 : (now - behindSince) / 1_000);
      const count = behindSince === undefined ? 0 : await rows.count({ partitions: share.owned, kind, at: now - waits[kind], most: MOST_COUNTED });
      metrics.sessionTimersDue.set({ kind }, count);
    }
  }
}
