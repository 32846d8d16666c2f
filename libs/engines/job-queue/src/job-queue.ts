import { type JsonObject, ServiceUnavailable } from '#kernel';

/** The data of a job: ids, and the version of its shape. The queue stores it in plain text, so it holds no secret and no personal data. */
export type JobPayload = JsonObject & { readonly version: number };

export interface Job<Payload extends JobPayload = JobPayload> {
  /**
   * Identifies one piece of work in its queue for ever. Other work takes another id, and so does another attempt that the caller counts
   * itself. 1 to 200 of `A-Z a-z 0-9 _ . -`, not only digits.
   */
  readonly id: string;
  readonly payload: Payload;
  /** When the job is due, epoch milliseconds by the Clock. A past time means at once. */
  readonly at: number;
}

export interface JobContext {
  /** 1, plus the failures in a row. */
  readonly attempt: number;
  /** Aborted when the processing ends. Long work should stop and throw: the job runs again later, and this does not count as a failure. */
  readonly signal: AbortSignal;
}

/** The answer of a handler whose job is not done; see {@link runAgain}. */
export class RunAgain {
  constructor(readonly at: number) {}
}

/** The job has to run again at that time (epoch milliseconds), as at its first attempt. */
export const runAgain = (at: number): RunAgain => new RunAgain(at);

/**
 * Resolves when the job is done, or with {@link runAgain}. May be called again with the same job: after a crash, a failure or a loss of the
 * connection; after such a loss even while an earlier call is running. When it throws, the job is tried again with growing waits and then
 * stored as failed. {@link ServiceUnavailable} does not count as a failure: the job is tried again without limit.
 */
export type JobHandler<Payload extends JobPayload = JobPayload> = (job: Job<Payload>, context: JobContext) => Promise<RunAgain | void>;

export interface ProcessOptions<Payload extends JobPayload = JobPayload> {
  readonly handler: JobHandler<Payload>;
  /** The most jobs that run at once. */
  readonly concurrency: number;
  /** Ends the processing: running handlers finish, and their outcome counts. */
  readonly signal: AbortSignal;
  /** Waits between the attempts at a job that fails, in milliseconds; afterwards it is stored as failed. Default: {@link RETRY_WAITS}. */
  readonly retryWaits?: readonly number[];
  /** Wait between attempts while another service is unavailable, in milliseconds. Default: {@link UNAVAILABLE_WAIT}. */
  readonly unavailableWait?: number;
}

/** Six attempts within a quarter of an hour. */
export const RETRY_WAITS: readonly number[] = [1_000, 5_000, 30_000, 120_000, 600_000];

export const UNAVAILABLE_WAIT = 2_000;

/** How long the queue remembers that a job is done, in milliseconds, and for how many jobs. */
export const DONE_KEPT = 86_400_000;
export const MAX_DONE_KEPT = 200_000;

/** How long a failed job is kept, in milliseconds. */
export const FAILED_KEPT = 2_592_000_000;

export interface Processing {
  /** Resolves after the signal, when no handler runs any more. */
  readonly done: Promise<void>;
  /** For the readiness probe: resolves while jobs can be taken, rejects otherwise. */
  check(): Promise<void>;
}

export interface JobCounts {
  /** Jobs whose time has not come. */
  readonly scheduled: number;
  /** Jobs whose time has come, and that do not run yet. */
  readonly due: number;
  readonly running: number;
  readonly failed: number;
}

/** A job that failed for good, stored with the reason. */
export interface FailedJob extends Omit<Job, 'at'> {
  /** Never holds a secret or a personal datum. */
  readonly reason: string;
  /** Epoch milliseconds. */
  readonly failedAt: number;
}

/** The queue cannot be reached, or did not answer in time: the outcome of the call is unknown. */
export class JobQueueUnavailable extends ServiceUnavailable {}

/**
 * Runs jobs at their time: work that is delayed or retried. Queues have names (`webhook-attempts`), and any number of processes may schedule and
 * process. `job-queue.contract.ts` tests each promise of an implementation:
 *
 * - at least once: a job survives `kill -9` of the process that runs it, and of the queue itself;
 * - **the first one counts**: scheduling a known id changes nothing. Known are jobs that wait, run or have failed, and the latest
 *   {@link MAX_DONE_KEPT} of a queue that were done within {@link DONE_KEPT}. So a caller that rebuilds lost jobs schedules all of them: the
 *   jobs that exist, also those that wait for another attempt, stay as they are;
 * - jobs do not wait for one another, beyond the concurrency, and run in no particular order;
 * - a failing job is tried again with growing waits, then stored as failed for {@link FAILED_KEPT}.
 *
 * No decision depends on a queue: it may be lost with all its jobs, and is then rebuilt from the streams. Invalid names and ids throw a
 * TypeError. Every method throws {@link JobQueueUnavailable} while the queue cannot be reached.
 */
export abstract class JobQueue {
  /** The job is stored when this resolves. Nothing happens when the queue knows a job with this id. */
  abstract schedule(queue: string, job: Job): Promise<void>;

  /** Starts to run the jobs of a queue. Reconnects after a loss of the connection. */
  abstract process<Payload extends JobPayload>(queue: string, options: ProcessOptions<Payload>): Processing;

  /** Removes a job that waits or has failed; its id may be scheduled again. False when there is none, or when it runs or is done. */
  abstract cancel(queue: string, id: string): Promise<boolean>;

  /** Makes a failed job due now, as at its first attempt. False when there is no such failed job. */
  abstract retry(queue: string, id: string): Promise<boolean>;

  /**
   * Forgets that these jobs are done, so that their ids may be scheduled again, and answers those that it has forgotten. Jobs that wait, run or
   * have failed stay as they are. One call to the engine, however many ids. For a caller whose own record says that the work is not done.
   */
  abstract forgetDone(queue: string, ids: readonly string[]): Promise<readonly string[]>;

  /** For metrics. */
  abstract counts(queue: string): Promise<JobCounts>;

  /** The latest failed jobs, the latest first. */
  abstract failed(queue: string, limit: number): Promise<readonly FailedJob[]>;

  /** Resolves when the queue can take a job now. */
  abstract check(): Promise<void>;

  /** Resolves when all processings are done and connections are closed. Every later call throws {@link JobQueueUnavailable}. */
  abstract close(): Promise<void>;
}

/** Throws a TypeError for a name that an adapter cannot store: `:` and whole numbers have another meaning for BullMQ. */
export const assertQueueName = (name: string): void => {
  if (!/^[a-z][a-z0-9-]{0,62}$/.test(name)) throw new TypeError(`${name} is not a valid queue name`);
};

/** Throws a TypeError for an invalid id, time or payload. */
export const assertJob = ({ id, at, payload }: Job): void => {
  if (!/^(?!\d+$)[\w.-]{1,200}$/.test(id)) throw new TypeError(`${id} is not a valid job id`);
  if (!Number.isSafeInteger(at)) throw new TypeError(`the time of a job has to be a whole number of milliseconds, not ${at}`);
  if (!Number.isSafeInteger(payload.version)) throw new TypeError('the payload of a job needs a version');
};
