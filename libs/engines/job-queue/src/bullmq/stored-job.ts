import type { JobsOptions } from 'bullmq';

import { DONE_KEPT, FAILED_KEPT, type JobPayload, MAX_DONE_KEPT } from '../job-queue.js';

/** The data of a job in Redis. */
export interface StoredJob {
  readonly payload: JobPayload;
  /** When the job is due, epoch milliseconds by the Clock. BullMQ itself uses the system's clock. */
  readonly due: number;
  /** In a row. */
  readonly failures: number;
}

/**
 * Separates the keys from those of other users of the same Redis. The braces are a hash tag: all keys of a queue lie in one slot of a Redis
 * Cluster, as the scripts of BullMQ need it, and the queues in different ones.
 */
export const prefixOf = (queue: string): string => `{countersign-${queue}}`;

/** BullMQ sees one attempt only: runJob decides about retries. */
export const JOB_OPTIONS: JobsOptions = {
  attempts: 1,
  stackTraceLimit: 0,
  removeOnComplete: { age: DONE_KEPT / 1000, count: MAX_DONE_KEPT },
  removeOnFail: { age: FAILED_KEPT / 1000 },
};

/** BullMQ sorts delayed jobs by milliseconds and a counter of twelve bits. */
export const delayedScore = (at: number): number => at * 0x1000 + 0xfff;
