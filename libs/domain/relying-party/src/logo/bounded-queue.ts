import { ServiceUnavailable } from '#kernel';

export interface QueueLimits {
  /** Tasks that run at once. */
  readonly running: number;
  /** Tasks that wait behind them. */
  readonly waiting: number;
  /** How long a task waits at the most, in milliseconds. */
  readonly patience: number;
}

interface Waiting {
  begin(): void;
  giveUp(reason: string): void;
}

/** Runs tasks in the order of their arrival, a bounded number of them at once, while a bounded number waits for a bounded time. */
export class BoundedQueue {
  readonly #waiting = new Set<Waiting>();
  #running = 0;
  #closed = false;

  constructor(
    /** For the reasons of refusals: the tasks' name in the plural. */
    private readonly name: string,
    private readonly limits: QueueLimits,
  ) {}

  /** The task's outcome. Throws {@link ServiceUnavailable} without having begun the task when too many wait, when it has waited too long, and after {@link close}. */
  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    await this.#turn();
    try {
      return await task();
    } finally {
      this.#running -= 1;
      const [next] = this.#waiting;
      next?.begin();
    }
  }

  /** Refuses the tasks that wait, and every later one. */
  close(): void {
    this.#closed = true;
    for (const waiting of this.#waiting) waiting.giveUp('the process stops');
  }

  #turn(): Promise<void> {
    const { running, waiting, patience } = this.limits;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (): void => {
      clearTimeout(timer);
      this.#waiting.delete(entry);
    };
    const entry: Waiting = {
      begin: () => {
        leave();
        this.#running += 1;
        resolve();
      },
      giveUp: (reason) => {
        leave();
        reject(new ServiceUnavailable(`${this.name}: ${reason}`));
      },
    };
    const timer = setTimeout(() => entry.giveUp(`none of ${running} places was free in ${patience} ms`), patience);
    if (this.#closed) entry.giveUp('the process stops');
    else if (this.#running < running) entry.begin();
    else if (this.#waiting.size >= waiting) entry.giveUp(`${waiting} wait already`);
    else this.#waiting.add(entry);
    return promise;
  }
}
