import { setTimeout as sleep } from 'node:timers/promises';

import { type JobQueue, type Processing, runAgain } from '#job-queue';
import type { Assignment } from '#message-bus';
import { type AttemptPayload, queueOfPartition, RetryLater, type webhookDispatch } from '#webhook';

/** Attempts of a partition that are under way or wait for their endpoint. An endpoint that hangs holds a small part of them (see EndpointGate). */
const CONCURRENCY = 1_000;

/** How long the attempts at a partition that went to another process may go on, in milliseconds. Those that have no answer by then are made again there. */
const FINISHING = 3_000;

/** How long a process waits for the attempts of the one that had the partition before, in milliseconds. After a crash they never end. */
const PATIENCE = 5_000;
const LOOK_AGAIN = 100;

export interface PartitionWorkersParts {
  readonly jobQueue: JobQueue;
  readonly dispatch: Pick<ReturnType<typeof webhookDispatch>, 'attemptDelivery' | 'jobs'>;
  readonly stopping: AbortSignal;
}

/** The attempts at the endpoints of this process: a queue for each of its partitions, which no other process works on meanwhile. */
export class PartitionWorkers {
  readonly #workers = new Map<number, PartitionWorker>();
  readonly #ending = new Set<Promise<void>>();

  constructor(private readonly parts: PartitionWorkersParts) {}

  /** Starts and ends work so that it is that of these partitions. */
  assigned({ owned }: Assignment): void {
    for (const [partition, worker] of this.#workers) {
      if (owned.includes(partition)) continue;
      worker.lose();
      this.#workers.delete(partition);
    }
    for (const partition of owned) {
      if (this.#workers.has(partition) || this.parts.stopping.aborted) continue;
      const worker = new PartitionWorker(partition, this.parts);
      this.#workers.set(partition, worker);
      this.#ending.add(worker.done);
      void worker.done.then(() => this.#ending.delete(worker.done));
    }
  }

  /** For the readiness probe: rejects while attempts cannot be made. */
  async check(): Promise<void> {
    await this.parts.jobQueue.check();
    await Promise.all([...this.#workers.values()].map((worker) => worker.check()));
  }

  /** After the signal: resolves when no attempt is under way. */
  async done(): Promise<void> {
    await Promise.all(this.#ending);
  }
}

class PartitionWorker {
  readonly done: Promise<void>;
  readonly #queue: string;
  readonly #lost = new AbortController();
  readonly #interrupted = new AbortController();
  readonly #ended: AbortSignal;
  #processing: Processing | undefined;

  constructor(
    partition: number,
    private readonly parts: PartitionWorkersParts,
  ) {
    this.#queue = queueOfPartition(partition);
    this.#ended = AbortSignal.any([this.#lost.signal, parts.stopping]);
    this.done = this.#run();
  }

  /** Takes no more jobs, and interrupts those that run on for too long. */
  lose(): void {
    this.#lost.abort();
    const timer = setTimeout(() => this.#interrupted.abort(), FINISHING);
    void this.done.then(() => clearTimeout(timer));
  }

  async check(): Promise<void> {
    await this.#processing?.check();
  }

  async #run(): Promise<void> {
    await this.#untilLeft();
    if (this.#ended.aborted) return;
    const signal = AbortSignal.any([this.#interrupted.signal, this.parts.stopping]);
    const { attemptDelivery, jobs } = this.parts.dispatch;
    this.#processing = this.parts.jobQueue.process<AttemptPayload>(this.#queue, {
      concurrency: CONCURRENCY,
      signal: this.#ended,
      handler: async (job) => {
        if (await jobs.move(job, this.#queue)) return;
        const result = await attemptDelivery.execute(job.payload, signal);
        return result instanceof RetryLater ? runAgain(result.at) : undefined;
      },
    });
    await this.#processing.done;
  }

  /** The limits of an endpoint hold also while its partition moves: the attempts of the process that had it end first. */
  async #untilLeft(): Promise<void> {
    for (let waited = 0; waited < PATIENCE && !this.#ended.aborted; waited += LOOK_AGAIN) {
      const running = await this.parts.jobQueue.counts(this.#queue).then(
        (counts) => counts.running,
        () => undefined,
      );
      if (running === 0) return;
      await sleep(LOOK_AGAIN, undefined, { signal: this.#ended }).catch(() => undefined);
    }
  }
}
