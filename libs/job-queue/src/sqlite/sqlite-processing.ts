import { setTimeout as sleep } from 'node:timers/promises';

import type { GroupCommit } from '#sqlite';

import { runJob, type RunParts, type Verdict } from '../run-job.js';
import type { Statements, Taken } from './statements.js';

export interface SqliteProcessingParts extends RunParts {
  readonly concurrency: number;
  readonly statements: Statements;
  readonly commits: GroupCommit;
}

/** How often it is looked whether the time of a job has come, in milliseconds: the clock may have been moved. */
const LOOK_EVERY = 100;

/** After the disk refused, in milliseconds. */
const REFUSED_WAIT = 1_000;

/** Takes jobs as they become due and runs them, so many at once. */
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

  /** Ends with the signal, when nothing is under way any more. */
  async run(): Promise<void> {
    const { signal, concurrency } = this.parts;
    const looking = setInterval(() => this.wake(), LOOK_EVERY);
    while (!signal.aborted) {
      this.#change = Promise.withResolvers();
      const room = concurrency - this.#underWay.size;
      await this.#take(room);
      await this.#change.promise;
    }
    clearInterval(looking);
    await Promise.all(this.#underWay);
  }

  async #take(limit: number): Promise<void> {
    if (limit === 0) return;
    const { statements, queue, clock, log } = this.parts;
    try {
      for (const taken of statements.take(queue, clock.now(), limit)) this.#begin(taken);
    } catch (error) {
      log.error('no job can be taken', { component: queue, error });
      await sleep(REFUSED_WAIT);
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

  /** Goes on trying: a verdict that is not on disk would leave the job to nobody. */
  async #settle(id: string, verdict: Verdict): Promise<void> {
    const { commits, queue, log } = this.parts;
    for (;;) {
      try {
        return await commits.run(() => this.#write(id, verdict));
      } catch (error) {
        log.error('the end of a job was not kept', { component: queue, jobId: id, error });
        await sleep(REFUSED_WAIT);
      }
    }
  }

  #write(id: string, verdict: Verdict): void {
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
