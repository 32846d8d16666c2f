import { type JobQueue, type Processing, runAgain } from '#engines/job-queue';
import type { Assignment } from '#engines/message-bus';
import { pause } from '#kernel';
import { type AttemptPayload, queueOfPartition, RetryLater, type webhookDispatch } from '#domain/webhook';

/** Attempts of a partition that are under way or wait for their endpoint. An endpoint that hangs holds a small part of them (see EndpointGate). */
const CONCURRENCY = 1_000;

/** Milliseconds that running attempts may continue after their partition went to another process. That process repeats those without an answer by then. */
const FINISHING = 3_000;

/** Milliseconds that a process waits for the attempts of the partition's former process. After a crash those attempts never end. */
const HANDOVER_LIMIT = 5_000;
const CHECK_INTERVAL = 100;

export interface PartitionWorkersParts {
  readonly jobQueue: JobQueue;
  readonly dispatch: Pick<ReturnType<typeof webhookDispatch>, 'attemptDelivery' | 'jobs'>;
  readonly stopping: AbortSignal;
}

/** Makes the attempts at the endpoints of this process. Each of its partitions has a queue, and no other process works on that queue meanwhile. */
export class PartitionWorkers {
  readonly #workers = new Map<number, PartitionWorker>();
  readonly #ending = new Set<Promise<void>>();

  constructor(private readonly parts: PartitionWorkersParts) {}

  /** Starts the work on the partitions that the process now owns, and ends the work on all others. */
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

  /** Takes no more jobs, and interrupts jobs that still run after {@link FINISHING}. */
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

  /** Waits until the attempts of the partition's former process have ended. So the limits of an endpoint also hold while its partition moves. */
  async #untilLeft(): Promise<void> {
    for (let waited = 0; waited < HANDOVER_LIMIT && !this.#ended.aborted; waited += CHECK_INTERVAL) {
      const running = await this.parts.jobQueue.counts(this.#queue).then(
        (counts) => counts.running,
        () => undefined,
      );
      if (running === 0) return;
      await pause(CHECK_INTERVAL, this.#ended);
    }
  }
}
