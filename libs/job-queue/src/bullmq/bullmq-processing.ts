import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { type ConnectionOptions, DelayedError, type Job as BullmqJob, UnrecoverableError, Worker } from 'bullmq';

import { SystemClock } from '#kernel';

import { runJob, type RunParts, type Verdict } from '../run-job.js';
import { PREFIX, type StoredJob } from './stored-job.js';

export interface BullmqProcessingParts extends RunParts {
  readonly concurrency: number;
  readonly connection: ConnectionOptions;
  /** Whether jobs are due that nobody works on. Rejects while nobody knows. */
  readonly isWorkLeft: () => Promise<boolean>;
  /** Makes jobs due whose time has come because the clock was moved. */
  readonly promoteDue: () => Promise<void>;
}

/** A worker that dies is missed after so many milliseconds, and its jobs are taken over. */
const LOCK = 15_000;
const LOOK_FOR_DEAD_WORKERS = 10_000;
/** So many may die over one job before that is given up. */
const MOST_DEATHS = 10;

/** `worker.close()` waits without end for a Redis that is away. */
const CLOSE_WITHIN = 20_000;

/** So long nobody takes a job that a closing worker has put back; milliseconds. */
const LEFT_TO_OTHERS = 500;

/** How often it is looked whether the clock was moved, and whether the worker has fallen silent; milliseconds. */
const LOOK_AT_CLOCK = 250;
const LOOK_AT_WORKER = 10_000;

/** One BullMQ worker, replaced when it takes no work any more although there is some (bullmq issues 2466, 3185). */
export class BullmqProcessing {
  readonly #system = new SystemClock();
  #worker: Worker<StoredJob>;
  #running = 0;
  /** Jobs begun so far. */
  #begun = 0;
  #away = false;
  /** How far the clock was ahead of the system's when jobs were last sorted by it. */
  #ahead = 0;

  constructor(private readonly parts: BullmqProcessingParts) {
    this.#worker = this.#startWorker();
  }

  /** Ends with the signal, when nothing is under way any more or after 20 s. */
  async run(): Promise<void> {
    const { signal } = this.parts;
    const timers = [
      setInterval(() => this.#lookAtClock(), LOOK_AT_CLOCK),
      setInterval(() => void this.#lookAtWorker().catch(() => undefined), LOOK_AT_WORKER),
    ];
    if (!signal.aborted) await once(signal, 'abort');
    for (const timer of timers) clearInterval(timer);
    await close(this.#worker);
  }

  #startWorker(): Worker<StoredJob> {
    const { queue, concurrency, connection, log } = this.parts;
    const worker = new Worker<StoredJob>(queue, (job, token) => this.#run(job, token), {
      connection,
      prefix: PREFIX,
      concurrency,
      lockDuration: LOCK,
      stalledInterval: LOOK_FOR_DEAD_WORKERS,
      maxStalledCount: MOST_DEATHS,
      runRetryDelay: 1_000,
    });
    worker.on('error', (error) => {
      if (!this.#away) log.warn('worker in trouble', { component: queue, error });
      this.#away = true;
    });
    worker.on('active', () => (this.#away = false));
    return worker;
  }

  async #run(job: BullmqJob<StoredJob>, token: string | undefined): Promise<void> {
    this.#running += 1;
    this.#begun += 1;
    try {
      await this.#settle(job, token);
    } finally {
      this.#running -= 1;
    }
  }

  async #settle(job: BullmqJob<StoredJob>, token: string | undefined): Promise<void> {
    const { payload, due, failures } = job.data;
    const { signal, clock } = this.parts;
    // A worker that closes may still take a job.
    const verdict: Verdict = signal.aborted ? { kind: 'again', at: due, failures } : await runJob({ id: job.id ?? '', payload, at: due }, failures, this.parts);
    if (verdict.kind === 'done') return;
    if (verdict.kind === 'failed') throw new UnrecoverableError(verdict.reason);
    await job.updateData({ payload, due: verdict.at, failures: verdict.failures });
    await job.moveToDelayed(this.#system.now() + Math.max(signal.aborted ? LEFT_TO_OTHERS : 0, verdict.at - clock.now()), token);
    throw new DelayedError();
  }

  /** In the sandbox the clock jumps, and BullMQ does not know of it. */
  #lookAtClock(): void {
    const ahead = this.parts.clock.now() - this.#system.now();
    if (ahead - this.#ahead < LOOK_AT_CLOCK) return;
    this.#ahead = ahead;
    this.parts.promoteDue().catch(() => (this.#ahead = 0)); // the next look
  }

  async #lookAtWorker(): Promise<void> {
    const begun = this.#begun;
    const isIdle = (): boolean => this.#running === 0 && this.#begun === begun;
    if (!isIdle() || !(await this.parts.isWorkLeft())) return;
    await sleep(LOOK_AT_WORKER / 2);
    if (!isIdle() || this.parts.signal.aborted || !(await this.parts.isWorkLeft())) return;
    this.parts.log.error('worker fell silent and is replaced', { component: this.parts.queue });
    const silent = this.#worker;
    this.#worker = this.#startWorker();
    void close(silent);
  }
}

const close = async (worker: Worker): Promise<void> => {
  const giveUp = new AbortController();
  const closing = worker.close().catch(() => undefined);
  await Promise.race([closing, sleep(CLOSE_WITHIN, undefined, { signal: giveUp.signal, ref: false }).catch(() => undefined)]);
  giveUp.abort();
};
