import type { JobsOptions } from 'bullmq';

import { DONE_KEPT, FAILED_KEPT, type JobPayload, MOST_DONE_KEPT } from '../job-queue.js';

/** What lies in Redis as a job's data. */
export interface StoredJob {
  readonly payload: JobPayload;
  /** When it is due, epoch milliseconds by the Clock: BullMQ counts on the system's. */
  readonly due: number;
  /** In a row. */
  readonly failures: number;
}

/** Apart from whatever else uses the same Redis. */
export const PREFIX = 'countersign';

/** One attempt by BullMQ's count: when the next one is due is for the verdict to say. */
export const JOB_OPTIONS: JobsOptions = {
  attempts: 1,
  stackTraceLimit: 0,
  removeOnComplete: { age: DONE_KEPT / 1000, count: MOST_DONE_KEPT },
  removeOnFail: { age: FAILED_KEPT / 1000 },
};

/** BullMQ sorts delayed jobs by milliseconds and a counter of twelve bits. */
export const delayedScore = (at: number): number => at * 0x1000 + 0xfff;
