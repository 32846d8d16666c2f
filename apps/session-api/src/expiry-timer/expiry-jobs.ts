import { again, type JobQueue, type JobPayload, type Processing } from '#job-queue';
import type { SessionId } from '#kernel';
import type { EndSessionByTime } from '#session';

const QUEUE = 'session-expiry';

type ExpiryJob = JobPayload & { readonly sessionId: SessionId };

/** So many sessions at once are looked at. */
const CONCURRENCY = 20;

/** One job for each session and deadline: an approval brings a signing session a new deadline, which may lie before the old one. */
export class ExpiryJobs {
  constructor(
    private readonly jobs: JobQueue,
    private readonly endSessionByTime: EndSessionByTime,
  ) {}

  async schedule(sessionId: SessionId, deadline: number): Promise<void> {
    const payload: ExpiryJob = { version: 1, sessionId };
    await this.jobs.schedule(QUEUE, { id: `${sessionId}.${deadline}`, payload, at: deadline });
  }

  /** For a session whose deadline only its stream tells. */
  async scheduleFromStream(sessionId: SessionId): Promise<void> {
    const deadline = await this.endSessionByTime.execute(sessionId);
    if (deadline !== undefined) await this.schedule(sessionId, deadline);
  }

  process(signal: AbortSignal): Processing {
    return this.jobs.process<ExpiryJob>(QUEUE, {
      concurrency: CONCURRENCY,
      signal,
      handler: async ({ payload }) => {
        const deadline = await this.endSessionByTime.execute(payload.sessionId);
        return deadline === undefined ? undefined : again(deadline);
      },
    });
  }
}
