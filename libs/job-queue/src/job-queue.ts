import { type JsonObject, ServiceUnavailable } from '#kernel';

/** What a job is about. Lies readable in the queue, so it holds no secret and no personal datum: ids, and a version of its shape. */
export type JobPayload = JsonObject & { readonly version: number };

export interface Job<Payload extends JobPayload = JobPayload> {
  /**
   * Stands for one piece of work in its queue, for ever: other work, and another attempt that its owner counts itself,
   * takes another id. 1 to 200 of `A-Z a-z 0-9 _ . -`, not digits alone.
   */
  readonly id: string;
  readonly payload: Payload;
  /** When it is due, epoch milliseconds by the Clock. What is past is due at once. */
  readonly at: number;
}

export interface JobContext {
  /** 1 for the first; counts the failures in a row. */
  readonly attempt: number;
  /** Aborted when the processing is to end: work that takes long stops and throws, and is done again later, not counted as a failure. */
  readonly signal: AbortSignal;
}

/** What a handler answers that is not done yet; see {@link again}. */
export class Again {
  constructor(readonly at: number) {}
}

/** The job has more to do: it is run again at that time, epoch milliseconds, as at its first attempt. */
export const again = (at: number): Again => new Again(at);

/**
 * Resolves when the job is done, or has to be run {@link again}. May be called again with the same job: after a crash, a
 * failure, a loss of the connection; also, after such a loss, while an earlier call is still under way. When it throws, the
 * job is tried again with growing waits and then kept as failed; {@link ServiceUnavailable} says that something else is
 * away, and is no failure: the job is tried until that is back.
 */
export type JobHandler<Payload extends JobPayload = JobPayload> = (job: Job<Payload>, context: JobContext) => Promise<Again | void>;

export interface ProcessOptions<Payload extends JobPayload = JobPayload> {
  readonly handler: JobHandler<Payload>;
  /** So many jobs at most are under way at once. */
  readonly concurrency: number;
  /** Ends the processing: handlers under way finish, and what they did counts. */
  readonly signal: AbortSignal;
  /** Waits between the attempts at a job that fails, in milliseconds; afterwards it is kept as failed. Default: {@link RETRY_WAITS}. */
  readonly retryWaits?: readonly number[];
  /** Wait between attempts while something else is away, in milliseconds. Default: {@link AWAY_WAIT}. */
  readonly awayWait?: number;
}

/** Six attempts within a quarter of an hour. */
export const RETRY_WAITS: readonly number[] = [1_000, 5_000, 30_000, 120_000, 600_000];

export const AWAY_WAIT = 2_000;

/** How long it is remembered that a job was done, in milliseconds, and of how many jobs of a queue. */
export const DONE_KEPT = 86_400_000;
export const MOST_DONE_KEPT = 200_000;

/** How long a failed job is kept, in milliseconds. */
export const FAILED_KEPT = 2_592_000_000;

export interface Processing {
  /** Resolves after the signal, when nothing is under way any more. */
  readonly done: Promise<void>;
  /** For the readiness probe: resolves while jobs can be taken, rejects while not. */
  check(): Promise<void>;
}

export interface JobCounts {
  /** Their time has not come. */
  readonly scheduled: number;
  /** Their time has come, and nobody works on them yet. */
  readonly due: number;
  readonly running: number;
  readonly failed: number;
}

/** A job that was given up, kept with the reason. */
export interface FailedJob extends Omit<Job, 'at'> {
  /** Never holds a secret or a personal datum. */
  readonly reason: string;
  /** Epoch milliseconds. */
  readonly failedAt: number;
}

/** The queue cannot be reached, or did not say in time what became of a call. */
export class JobQueueUnavailable extends ServiceUnavailable {}

/**
 * Runs jobs when their time has come: work that is delayed or retried. Queues have names (`session-expiry`), and any number
 * of processes may schedule and process. What an implementation guarantees is written out, rule by rule, in
 * `job-queue.contract.ts`:
 *
 * - at least once: a job that was taken survives `kill -9` of whoever works on it, and of the queue itself;
 * - **the first one counts**: scheduling an id that is known, be it waiting, running, failed, or done within
 *   {@link DONE_KEPT} (of a queue's latest {@link MOST_DONE_KEPT}), changes nothing. So whoever rebuilds lost jobs
 *   schedules what ought to be there, and disturbs nothing that is: a job that waits for another attempt goes on waiting;
 * - jobs do not wait for one another, beyond the concurrency, and come in no particular order;
 * - a failing job is tried again with growing waits, then kept for {@link FAILED_KEPT} and shown.
 *
 * No decision rests on a queue: it may be lost with all it holds, and is then rebuilt from the streams. Names and ids that are
 * none throw a TypeError; every method throws {@link JobQueueUnavailable} while the queue cannot be reached.
 */
export abstract class JobQueue {
  /** Kept when this resolves. Nothing happens when the queue knows a job of this id. */
  abstract schedule(queue: string, job: Job): Promise<void>;

  /** Begins to run the jobs of a queue. Goes on over a loss of the connection. */
  abstract process<Payload extends JobPayload>(queue: string, options: ProcessOptions<Payload>): Processing;

  /** Forgets a job that waits or has failed; its id may be scheduled again. False when there is none, or it is too late: the job is running or done. */
  abstract cancel(queue: string, id: string): Promise<boolean>;

  /** Makes a failed job due now, as at its first attempt. False when there is none. */
  abstract retry(queue: string, id: string): Promise<boolean>;

  /** For metrics. */
  abstract counts(queue: string): Promise<JobCounts>;

  /** The latest failed jobs, the latest first. */
  abstract failed(queue: string, limit: number): Promise<readonly FailedJob[]>;

  /** Resolves when the queue can take a job now. */
  abstract check(): Promise<void>;

  /** Frees what the queue holds, when all processings are done; it takes nothing afterwards. */
  abstract close(): Promise<void>;
}

/** Throws a TypeError for what the queues could not hold. `:` and whole numbers mean something else to BullMQ. */
export const assertQueueName = (name: string): void => {
  if (!/^[a-z][a-z0-9-]{0,62}$/.test(name)) throw new TypeError(`${name} is no name of a queue`);
};

export const assertJob = ({ id, at, payload }: Job): void => {
  if (!/^(?!\d+$)[\w.-]{1,200}$/.test(id)) throw new TypeError(`${id} is no id of a job`);
  if (!Number.isSafeInteger(at)) throw new TypeError(`a job's time is a whole number of milliseconds, not ${at}`);
  if (!Number.isSafeInteger(payload.version)) throw new TypeError('a payload carries a version');
};
