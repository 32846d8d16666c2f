import { type Clock, DomainError, ServiceUnavailable } from '#kernel';
import type { Log, Metrics } from '#telemetry';

import { RunAgain, UNAVAILABLE_WAIT, type Job, type ProcessOptions, RETRY_WAITS } from './job-queue.js';

export interface RunParts extends Omit<ProcessOptions, 'concurrency'> {
  readonly queue: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** The result to store after a run of a job. */
export type JobVerdict =
  | { readonly kind: 'done' }
  /** `failures`: in a row, including this one. */
  | { readonly kind: 'again'; readonly at: number; readonly failures: number }
  | { readonly kind: 'failed'; readonly reason: string };

/** One run of a job, from its handler to the verdict. The same for every adapter. Never rejects. */
export const runJob = async (job: Job, failures: number, parts: RunParts): Promise<JobVerdict> => {
  const { handler, signal, clock } = parts;
  try {
    const answer = await handler(job, { attempt: failures + 1, signal });
    count(parts, answer instanceof RunAgain ? 'again' : 'done');
    return answer instanceof RunAgain ? { kind: 'again', at: answer.at, failures: 0 } : { kind: 'done' };
  } catch (error) {
    // A failure after the signal may come from the signal, and says nothing about the job.
    if (signal.aborted) return { kind: 'again', at: clock.now(), failures };
    return afterFailure(job, failures, error, parts);
  }
};

const afterFailure = ({ id }: Job, failures: number, error: unknown, parts: RunParts): JobVerdict => {
  const { queue, clock, log, retryWaits = RETRY_WAITS, unavailableWait = UNAVAILABLE_WAIT } = parts;
  const unavailable = error instanceof ServiceUnavailable;
  const wait = unavailable ? unavailableWait : retryWaits[failures];
  if (wait === undefined) {
    const reason = describe(error);
    count(parts, 'failed');
    log.error('job given up', { component: queue, jobId: id, reason, error });
    return { kind: 'failed', reason };
  }
  count(parts, unavailable ? 'waited' : 'retried');
  log.warn('job failed', { component: queue, jobId: id, count: failures + 1, error });
  return { kind: 'again', at: clock.now() + wait, failures: unavailable ? failures : failures + 1 };
};

const count = ({ queue, metrics }: RunParts, outcome: 'done' | 'again' | 'retried' | 'waited' | 'failed'): void =>
  metrics.jobRuns.inc({ queue, outcome });

/** The message of an unexpected error may quote personal data, so only its name is stored. */
const describe = (error: unknown): string =>
  error instanceof DomainError ? `${error.name}: ${error.reason}` : error instanceof Error ? error.name : typeof error;
