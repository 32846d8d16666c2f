import { again, type JobQueue, type Processing } from '#job-queue';
import type { DeleteOldSessions } from '#session';

const QUEUE = 'session-retention';

/** A single job, for ever: it says itself when it wants to run again. */
const SWEEP = { id: 'sweep', payload: { version: 1 }, at: 0 };

/** Sees to it that sessions are deleted thirty days after their end. */
export class SessionRetention {
  constructor(
    private readonly jobs: JobQueue,
    private readonly deleteOldSessions: DeleteOldSessions,
  ) {}

  /** Sees to it that the job is there, also after it was given up; to be repeated. */
  async reconcile(): Promise<void> {
    await this.jobs.schedule(QUEUE, SWEEP);
    await this.jobs.retry(QUEUE, SWEEP.id);
  }

  process(signal: AbortSignal): Processing {
    return this.jobs.process(QUEUE, {
      concurrency: 1,
      signal,
      handler: async (_job, context) => again(await this.deleteOldSessions.execute(context.signal)),
    });
  }
}
