import { runAgain, type JobQueue, type Processing } from '#job-queue';

import type { RetentionSweep } from './retention-sweep.js';

/** One job that reschedules itself: every run answers when the next one is due. */
const SWEEP = { id: 'sweep', payload: { version: 1 }, at: 0 };

/** Runs a {@link RetentionSweep} as a job of its own queue. */
export class SessionRetention {
  constructor(
    private readonly jobs: JobQueue,
    private readonly queue: 'session-retention' | 'result-retention',
    private readonly sweep: RetentionSweep,
  ) {}

  /** Schedules the job if it is missing and retries it if the queue gave it up; call it regularly. */
  async reconcile(): Promise<void> {
    await this.jobs.schedule(this.queue, SWEEP);
    await this.jobs.retry(this.queue, SWEEP.id);
  }

  /** Works on the job until the signal. */
  process(signal: AbortSignal): Processing {
    return this.jobs.process(this.queue, {
      concurrency: 1,
      signal,
      handler: async (_job, context) => runAgain(await this.sweep.execute(context.signal)),
    });
  }
}
