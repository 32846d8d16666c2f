import type { GroupCommit } from '#engines/sqlite';
import { pause, retry } from '#kernel';

import { runJob, type RunParts, type JobVerdict } from '../run-job.js';
import type { JobStatements, Taken } from './statements.js';

export interface SqliteProcessingParts extends RunParts {
  readonly concurrency: number;
  readonly statements: JobStatements;
  readonly commits: GroupCommit;
}

/** Interval of the checks for due jobs, in milliseconds: the clock may have been moved. */
const CHECK_INTERVAL = 100;

/** Wait after a failed write or read, in milliseconds. */
const FAILURE_WAIT = 1_000;

/** Takes jobs as they become due and runs them, up to the concurrency at once. */
export class SqliteProcessing {
  readonly #underWay = new Set<Promise<void>>();
  /** Resolved by {@link wake}. */
  #change = Promise.withResolvers<void>();

  constructor(private readonly parts: SqliteProcessingParts) {
    parts.signal.addEventListener('abort', () => this.wake(), { once: true });
  }

  /** A job may have become due, or there is room for another one. */
  wake(): void {
    this.#change.resolve();
  }

  /** Resolves after the signal, when no handler runs any more. */
  async run(): Promise<void> {
    const { signal, concurrency } = this.parts;
    const checking = setInterval(() => this.wake(), CHECK_INTERVAL);
    while (!signal.aborted) {
      this.#change = Promise.withResolvers();
      const room = concurrency - this.#underWay.size;
      await this.#take(room);
      await this.#change.promise;
    }
    clearInterval(checking);
    await Promise.all(this.#underWay);
  }

  async #take(limit: number): Promise<void> {
    if (limit === 0) return;
    const { statements, queue, clock, log } = this.parts;
    try {
      for (const taken of statements.take(queue, clock.now(), limit)) this.#begin(taken);
    } catch (error) {
      log.error('jobs cannot be taken', { component: queue, error });
      await pause(FAILURE_WAIT);
    }
  }

  #begin({ job, failures }: Taken): void {
    const work = runJob(job, failures, this.parts).then((verdict) => this.#settle(job.id, verdict));
    this.#underWay.add(work);
    void work.then(() => {
      this.#underWay.delete(work);
      this.wake();
    });
  }

  /** Tries until the verdict is on disk: without it, no process would run the job again. */
  #settle(id: string, verdict: JobVerdict): Promise<void> {
    const { commits, queue, log } = this.parts;
    return retry(() => commits.run(() => this.#write(id, verdict)), {
      waits: FAILURE_WAIT,
      onRetry: (error) => log.error('the outcome of a job could not be stored', { component: queue, jobId: id, error }),
    });
  }

  #write(id: string, verdict: JobVerdict): void {
    const { statements, queue, clock } = this.parts;
    switch (verdict.kind) {
      case 'done':
        return statements.done(queue, id, clock.now());
      case 'again':
        return statements.again(queue, id, verdict.at, verdict.failures);
      case 'failed':
        return statements.fail(queue, id, clock.now(), verdict.reason);
    }
  }
}
