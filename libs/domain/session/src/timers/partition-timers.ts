import { backgroundPause, type Clock, inParallel, retry, ServiceUnavailable, type SessionId, untilAborted } from '#kernel';
import type { Log, Metrics } from '#telemetry';

import type { TimerKind, TimerWaits } from '../domain/session-timer.js';
import type { TimerRows } from '../read-models/timer-rows.js';
import type { TimerRow } from '../read-models/timer-tables.js';
import type { RunSessionTimer } from '../use-cases/run-session-timer.js';
import type { TopicShare } from './topic-share.js';

export interface PartitionTimersParts {
  readonly rows: TimerRows;
  readonly share: TopicShare;
  readonly run: RunSessionTimer;
  readonly waits: TimerWaits;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Ends the lane. */
  readonly stopping: AbortSignal;
  /** Told each row that the lane has stored: it may be another lane's. */
  readonly renewed: (row: TimerRow) => void;
}

/** Rows of each partition that one query answers. */
const PAGE = 200;
/** Sessions that a lane works on at once. */
const CONCURRENCY = 32;

/** Real time between two checks of a clock that leaps, and at one that does not, and the wait after a failure. Milliseconds. */
const LEAPING_CLOCK_CHECK_INTERVAL = 100;
const CLOCK_CHECK_INTERVAL = 10_000;
const RETRY = 1_000;
/** Of failures in a row, the third one is logged and then each so many: at a start the tables are made meanwhile. */
const [LOG_FIRST, LOG_EACH] = [3, 60];

/** A session whose timer fails is tried again after this time; one that the stream does not show yet, sooner. Milliseconds. */
const FAILED_WAIT = 60_000;
const UNREADABLE_WAIT = 10_000;
/** A stream that shows nothing so long after its time was deleted. Milliseconds. */
const GONE_AFTER = 60_000;

/** Does the work of one kind for the sessions of the owned partitions, as each becomes due. Only the time of the next one of each partition is in memory. */
export class PartitionTimers {
  /** By partition: when to look at the rows next, by the clock. */
  readonly #next = new Map<number, number>();
  /** When the oldest work that waits was due. */
  #behindSince: number | undefined;
  /** Ends the pause before the next round, when a row turns out to be due sooner or the lane ends. */
  #woken = new AbortController();
  readonly #lookAtClock: number;

  constructor(
    readonly kind: TimerKind,
    private readonly parts: PartitionTimersParts,
  ) {
    this.#lookAtClock = parts.clock.leaps ? LEAPING_CLOCK_CHECK_INTERVAL : CLOCK_CHECK_INTERVAL;
  }

  /** Whether work is due, and since when; epoch milliseconds. */
  get behindSince(): number | undefined {
    return this.#behindSince;
  }

  /** Looks at the rows of all owned partitions, and no longer at those of others. */
  look(): void {
    const { owned } = this.parts.share;
    for (const partition of this.#next.keys()) if (!owned.includes(partition)) this.#next.delete(partition);
    for (const partition of owned) this.#next.set(partition, -Infinity);
    this.#woken.abort();
  }

  /** A row was stored by this process. */
  noteRow({ partition, at }: TimerRow): void {
    const next = this.#next.get(partition);
    const due = this.#dueAt(at);
    if (next === undefined || next <= due) return;
    this.#next.set(partition, due);
    this.#woken.abort();
  }

  /** Works until the signal. */
  async work(): Promise<void> {
    const { stopping, log } = this.parts;
    stopping.addEventListener('abort', () => this.#woken.abort(), { once: true });
    const rounds = async (_attempt: number, progressed: () => void): Promise<void> => {
      while (!stopping.aborted) {
        this.#woken = new AbortController();
        await this.#round();
        progressed();
        const wait = Math.max(0, Math.min(...this.#next.values()) - this.parts.clock.now());
        await backgroundPause(Math.min(this.#lookAtClock, wait), this.#woken.signal);
      }
    };
    const working = retry(rounds, {
      waits: RETRY,
      signal: stopping,
      pause: backgroundPause,
      onRetry: (error, failures) => {
        if (failures % LOG_EACH === LOG_FIRST) log.warn('session timers wait and go on', { component: `session-${this.kind}`, error });
      },
    });
    await untilAborted(stopping, working);
  }

  /** Does the work that is due, a page of each partition at most. */
  async #round(): Promise<void> {
    const now = this.parts.clock.now();
    const partitions = [...this.#next].flatMap(([partition, next]) => (next <= now ? [partition] : []));
    if (partitions.length === 0) return;
    try {
      for (const partition of partitions) this.#next.set(partition, Infinity);
      const rows = await this.parts.rows.first(partitions, this.kind, PAGE);
      const due = partitions.flatMap((partition) =>
        this.#due(
          rows.filter((row) => row.partition === partition),
          now,
        ),
      );
      this.#behindSince = due.length === 0 ? undefined : Math.min(...due.map(({ at }) => this.#dueAt(at)));
      await this.#run(due);
    } catch (error) {
      for (const partition of partitions) if (this.#next.has(partition)) this.#next.set(partition, -Infinity);
      throw error;
    }
  }

  /** Those of the first rows of a partition that are due. Notes when the next one is. */
  #due(rows: readonly TimerRow[], now: number): readonly TimerRow[] {
    const due = rows.filter(({ at }) => this.#dueAt(at) <= now);
    const following = rows[due.length];
    if (following) this.noteRow(following);
    else if (rows.length === PAGE) this.noteRow(rows[0]!);
    return due;
  }

  async #run(due: readonly TimerRow[]): Promise<void> {
    const gone: SessionId[] = [];
    const renewed: TimerRow[] = [];
    try {
      await inParallel(due, CONCURRENCY, async (row) => {
        if (this.parts.stopping.aborted) return;
        const next = await this.#runOne(row);
        if (next) renewed.push({ ...row, ...next });
        else gone.push(row.session_id);
      });
    } finally {
      if (gone.length > 0) await this.parts.rows.remove(gone);
      if (renewed.length > 0) await this.parts.rows.renew(renewed);
      for (const row of renewed) this.parts.renewed(row);
    }
  }

  /** The row from now on; undefined when the session is gone. Throws ServiceUnavailable. */
  async #runOne({ session_id, at }: TimerRow): Promise<Pick<TimerRow, 'kind' | 'at' | 'revision'> | Pick<TimerRow, 'at'> | undefined> {
    const { run, clock, log } = this.parts;
    try {
      const next = await run.execute(session_id, this.kind);
      if (next === 'deleted') return this.#count('deleted', undefined);
      if (next !== 'unreadable') return this.#count(next.kind === this.kind ? 'early' : 'done', next);
      const isGone = clock.now() >= this.#dueAt(at) + GONE_AFTER;
      return this.#count('unreadable', isGone ? undefined : this.#again(UNREADABLE_WAIT));
    } catch (error) {
      if (error instanceof ServiceUnavailable) throw error;
      // The timer of a session with an event of a newer release fails until this process is upgraded.
      log.warn('a session timer failed and is tried again', { component: `session-${this.kind}`, sessionId: session_id, error });
      return this.#count('failed', this.#again(FAILED_WAIT));
    }
  }

  /** The row becomes due again so many milliseconds from now. */
  #again(milliseconds: number): Pick<TimerRow, 'at'> {
    return { at: this.parts.clock.now() + milliseconds - this.parts.waits[this.kind] };
  }

  #count<Next>(outcome: 'done' | 'deleted' | 'early' | 'unreadable' | 'failed', next: Next): Next {
    this.parts.metrics.sessionTimers.inc({ kind: this.kind, outcome });
    return next;
  }

  #dueAt(at: number): number {
    return at + this.parts.waits[this.kind];
  }
}
