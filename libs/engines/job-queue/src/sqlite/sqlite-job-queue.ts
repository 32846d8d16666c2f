import { type Clock, Recurrence } from '#kernel';
import { DatabaseFiles, GroupCommit } from '#engines/sqlite';
import type { Log, Metrics } from '#telemetry';

import {
  assertJob,
  assertQueueName,
  type FailedJob,
  type Job,
  type JobCounts,
  type JobHandler,
  type JobPayload,
  JobQueue,
  JobQueueUnavailable,
  type Processing,
  type ProcessOptions,
} from '../job-queue.js';
import { reportCounts } from '../report-counts.js';
import { openJobDatabase, OWNER } from './database.js';
import { SqliteProcessing } from './sqlite-processing.js';
import { prepareStatements, type JobStatements, takeBackRunning } from './statements.js';

export interface SqliteJobQueueParts {
  /** The database file; a missing folder is created. `:memory:` for tests. */
  readonly path: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Interval of the deletion of ended jobs, in milliseconds. */
const SWEEP_INTERVAL = 60_000;

/**
 * The job queue in one SQLite file, locked by one process. Jobs that are running when it is opened were left by a process that died, and are due
 * again. So the queue needs neither leases nor heartbeats.
 */
export class SqliteJobQueue extends JobQueue {
  readonly #files: DatabaseFiles;
  readonly #statements: JobStatements;
  readonly #commits: GroupCommit;
  readonly #processings = new Map<SqliteProcessing, Promise<void>>();
  readonly #sweeps: Recurrence;
  #closing: Promise<void> | undefined;

  constructor(private readonly parts: SqliteJobQueueParts) {
    super();
    const database = openJobDatabase(parts.path);
    takeBackRunning(database, parts.clock.now());
    this.#statements = prepareStatements(database);
    this.#files = new DatabaseFiles(database);
    this.#commits = new GroupCommit(database, OWNER, () => this.#wake(), this.#files);
    const { clock } = parts;
    const work = (): Promise<unknown> => this.#commits.run(() => this.#statements.forgetEnded(clock.now()));
    this.#sweeps = new Recurrence({ clock, interval: SWEEP_INTERVAL, work });
  }

  override async schedule(queue: string, job: Job): Promise<void> {
    assertQueueName(queue);
    assertJob(job);
    await this.#commits.run(() => this.#statements.schedule(queue, job));
  }

  override process<Payload extends JobPayload>(queue: string, options: ProcessOptions<Payload>): Processing {
    assertQueueName(queue);
    const handler = options.handler as JobHandler;
    const { clock, log, metrics } = this.parts;
    const processing = new SqliteProcessing({
      ...options,
      handler,
      queue,
      clock,
      log,
      metrics,
      statements: this.#statements,
      commits: this.#commits,
    });
    const done = processing.run().finally(() => this.#processings.delete(processing));
    this.#processings.set(processing, done);
    reportCounts(this, queue, metrics, options.signal);
    return {
      done,
      check: async () => {
        if (options.signal.aborted) throw new JobQueueUnavailable(`the processing of ${queue} has stopped`);
        await this.check();
      },
    };
  }

  override async cancel(queue: string, id: string): Promise<boolean> {
    return this.#commits.run(() => this.#statements.cancel(queue, id));
  }

  override async retry(queue: string, id: string): Promise<boolean> {
    return this.#commits.run(() => this.#statements.retry(queue, id, this.parts.clock.now()));
  }

  override async forgetDone(queue: string, ids: readonly string[]): Promise<readonly string[]> {
    return this.#commits.run(() => this.#statements.forgetDone(queue, ids));
  }

  override async counts(queue: string): Promise<JobCounts> {
    return this.#whileOpen(() => this.#statements.counts(queue, this.parts.clock.now()));
  }

  override async failed(queue: string, limit: number): Promise<readonly FailedJob[]> {
    return this.#whileOpen(() => this.#statements.failed(queue, limit));
  }

  override async check(): Promise<void> {
    this.#whileOpen(() => undefined);
  }

  override close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #wake(): void {
    for (const processing of this.#processings.keys()) processing.wake();
  }

  #whileOpen<Result>(work: () => Result): Result {
    if (this.#closing) throw new JobQueueUnavailable('the job queue is closed');
    try {
      return work();
    } catch (error) {
      throw new JobQueueUnavailable(`the job queue cannot read: ${String(error)}`);
    }
  }

  async #close(): Promise<void> {
    void this.#sweeps.end();
    await Promise.all(this.#processings.values());
    await this.#commits.close();
    await this.#files.close();
  }
}
