import { type Job as BullmqJob, Worker } from 'bullmq';

import { SystemClock } from '#kernel';

import type { StoredJob } from './stored-job.js';

type Job = BullmqJob<StoredJob>;

/** Counts jobs as BullMQ does: a job ends when its outcome is stored. That happens after its handler, and later while Redis is unavailable. */
export class CountingWorker extends Worker<StoredJob> {
  readonly #system = new SystemClock();
  /** The jobs that have not ended, with the time at which their handlers ended. */
  readonly #open = new Map<Job, number | undefined>();
  #taken = 0;

  /** Jobs taken so far. */
  get taken(): number {
    return this.#taken;
  }

  /** Whether it has no job. When the outcome of a job is not stored before its lock expires, another worker gets the job: it no longer counts here. */
  get isIdle(): boolean {
    const lost = this.#system.monotonic() - (this.opts.lockDuration ?? 0);
    return [...this.#open.values()].every((handledAt) => handledAt !== undefined && handledAt < lost);
  }

  override async processJob(job: Job, token: string, fetchNext?: () => boolean): Promise<void | Job> {
    this.#taken += 1;
    this.#open.set(job, undefined);
    try {
      return await super.processJob(job, token, fetchNext);
    } finally {
      this.#open.delete(job);
    }
  }

  protected override async callProcessJob(job: Job, token: string, signal?: AbortSignal): Promise<unknown> {
    try {
      return await super.callProcessJob(job, token, signal);
    } finally {
      this.#open.set(job, this.#system.monotonic());
    }
  }
}
