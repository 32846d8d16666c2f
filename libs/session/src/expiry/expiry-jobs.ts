import { runAgain, type JobQueue, type JobPayload, type Processing } from '#job-queue';
import type { SessionId } from '#kernel';

import type { EndSessionByTime } from '../use-cases/end-session-by-time.js';

const QUEUE = 'session-expiry';

type ExpiryJob = JobPayload & { readonly sessionId: SessionId };

/** How many sessions are ended at the same time. */
const CONCURRENCY = 20;

/** One job for each session and deadline: an approval gives a signing session a new deadline, which may lie before the old one. */
export class ExpiryJobs {
  constructor(
    private readonly jobs: JobQueue,
    private readonly endSessionByTime: EndSessionByTime,
  ) {}

  /** `deadline` in epoch milliseconds. Scheduling the same deadline again changes nothing. */
  async schedule(sessionId: SessionId, deadline: number): Promise<void> {
    const payload: ExpiryJob = { version: 1, sessionId };
    await this.jobs.schedule(QUEUE, { id: `${sessionId}.${deadline}`, payload, at: deadline });
  }

  /** Schedules the deadline that the session's stream holds. */
  async scheduleFromStream(sessionId: SessionId): Promise<void> {
    const deadline = await this.endSessionByTime.execute(sessionId);
    if (deadline !== undefined) await this.schedule(sessionId, deadline);
  }

  /** Works on the jobs until the signal. */
  process(signal: AbortSignal): Processing {
    return this.jobs.process<ExpiryJob>(QUEUE, {
      concurrency: CONCURRENCY,
      signal,
      handler: async ({ payload }) => {
        const deadline = await this.endSessionByTime.execute(payload.sessionId);
        return deadline === undefined ? undefined : runAgain(deadline);
      },
    });
  }
}
