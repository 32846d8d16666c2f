import { once } from 'node:events';

import { type ConnectionOptions, DelayedError, type Job as BullmqJob, UnrecoverableError } from 'bullmq';

import { backgroundPause, type Pause, pause, SystemClock } from '#kernel';

import { runJob, type RunParts, type JobVerdict } from '../run-job.js';
import { CountingWorker } from './counting-worker.js';
import { prefixOf, type StoredJob } from './stored-job.js';

export interface BullmqProcessingParts extends RunParts {
  readonly concurrency: number;
  readonly connection: ConnectionOptions;
  /** Whether due jobs wait for a worker. Rejects while Redis is unavailable. */
  readonly hasWaitingJobs: () => Promise<boolean>;
  /** Makes the jobs due whose time has come because the clock was moved. */
  readonly promoteDue: () => Promise<void>;
  /** Waits. Tests replace it so that they need not wait. */
  readonly pause?: Pause;
}

/** The jobs of a dead worker are taken over when their lock ends; milliseconds. */
const LOCK_DURATION = 15_000;
const STALLED_CHECK_INTERVAL = 10_000;
/** A job is given up after this many workers have died while running it. */
const MAX_DEATHS = 10;

/** Limits `worker.close()`, which otherwise waits for an unavailable Redis without end; milliseconds. */
const CLOSE_TIMEOUT = 20_000;

/** Delay of a job that a closing worker puts back, so that it does not take the job again; milliseconds. */
const PUT_BACK_DELAY = 500;

/** An idle worker asks Redis again after this time, in seconds: the longest that BullMQ thinks safe for a connection. A job that is added wakes it at once. */
const IDLE_WAIT = 10;

/** Intervals of the checks for a moved clock and for an idle worker; milliseconds. */
const CLOCK_CHECK_INTERVAL = 250;
const WORKER_CHECK_INTERVAL = 10_000;

/** Runs one BullMQ worker, and replaces it when it takes no jobs although some are due (bullmq issues 2466, 3185). */
export class BullmqProcessing {
  readonly #system = new SystemClock();
  #worker: CountingWorker;
  /** One promise for each replaced worker; it resolves when the worker has ended. */
  readonly #replaced = new Set<Promise<void>>();
  #hasFailed = false;
  /** How far the Clock was ahead of the system's at the last promotion of due jobs, in milliseconds. */
  #ahead = 0;

  constructor(private readonly parts: BullmqProcessingParts) {
    this.#worker = this.#startWorker();
  }

  /** Resolves after the signal, when BullMQ has stored the outcome of every job or after 20 s. */
  async run(): Promise<void> {
    const { signal, clock } = this.parts;
    const timers = [setInterval(() => void this.checkWorker().catch(() => undefined), WORKER_CHECK_INTERVAL)];
    if (clock.leaps) timers.push(setInterval(() => this.#checkClock(), CLOCK_CHECK_INTERVAL));
    if (!signal.aborted) await once(signal, 'abort');
    for (const timer of timers) clearInterval(timer);
    await Promise.all([close(this.#worker), ...this.#replaced]);
  }

  /** Replaces the worker when it takes none of the due jobs. Called at regular intervals. */
  async checkWorker(): Promise<void> {
    const { parts } = this;
    const worker = this.#worker;
    const { taken } = worker;
    const isIdle = (): boolean => worker.isIdle && worker.taken === taken && !parts.signal.aborted;
    const isStuck = async (): Promise<boolean> => isIdle() && (await parts.hasWaitingJobs()) && isIdle();
    if (!(await isStuck())) return;
    await (parts.pause ?? pause)(WORKER_CHECK_INTERVAL / 2);
    if (!(await isStuck())) return;
    parts.log.error('idle worker is replaced', { component: parts.queue });
    this.#worker = this.#startWorker();
    const closed = close(worker).finally(() => this.#replaced.delete(closed));
    this.#replaced.add(closed);
  }

  #startWorker(): CountingWorker {
    const { queue, concurrency, connection, log } = this.parts;
    const worker = new CountingWorker(queue, (job, token) => this.#settle(job, token), {
      connection,
      prefix: prefixOf(queue),
      concurrency,
      lockDuration: LOCK_DURATION,
      stalledInterval: STALLED_CHECK_INTERVAL,
      maxStalledCount: MAX_DEATHS,
      runRetryDelay: 1_000,
      drainDelay: IDLE_WAIT,
    });
    worker.on('error', (error) => {
      if (!this.#hasFailed) log.warn('worker failed', { component: queue, error });
      this.#hasFailed = true;
    });
    worker.on('active', () => (this.#hasFailed = false));
    return worker;
  }

  async #settle(job: BullmqJob<StoredJob>, token: string | undefined): Promise<void> {
    const { payload, due, failures } = job.data;
    const { signal, clock } = this.parts;
    // A closing worker may still take a job.
    const verdict: JobVerdict = signal.aborted
      ? { kind: 'again', at: due, failures }
      : await runJob({ id: job.id ?? '', payload, at: due }, failures, this.parts);
    if (verdict.kind === 'done') return;
    if (verdict.kind === 'failed') throw new UnrecoverableError(verdict.reason);
    await job.updateData({ payload, due: verdict.at, failures: verdict.failures });
    await job.moveToDelayed(this.#system.now() + Math.max(signal.aborted ? PUT_BACK_DELAY : 0, verdict.at - clock.now()), token);
    throw new DelayedError();
  }

  /** The sandbox moves the Clock, which BullMQ does not use. */
  #checkClock(): void {
    const ahead = this.parts.clock.now() - this.#system.now();
    if (ahead - this.#ahead < CLOCK_CHECK_INTERVAL) return;
    this.#ahead = ahead;
    this.parts.promoteDue().catch(() => (this.#ahead = 0)); // tried again at the next check
  }
}

const close = async (worker: CountingWorker): Promise<void> => {
  const giveUp = new AbortController();
  const closing = worker.close().catch(() => undefined);
  await Promise.race([closing, backgroundPause(CLOSE_TIMEOUT, giveUp.signal)]);
  giveUp.abort();
};
