import type { Clock } from './clock.js';

/** Milliseconds between two checks of a clock that may be moved, and of one that may not: each check wakes an idle process. */
const LEAPING_CHECK_INTERVAL = 1_000;
const CHECK_INTERVAL = 5_000;

export interface RecurringWork {
  readonly clock: Clock;
  /** Milliseconds of the clock from one start of the work to the next. */
  readonly interval: number;
  readonly work: () => Promise<unknown>;
  /** Says whether this process does the work now: several processes may share it. The default is that it does. */
  readonly isMyTurn?: () => boolean;
}

/**
 * Does its work at once and then once in each interval, never twice at a time. Work that fails is done again in the next interval; its error
 * is not logged here. Keeps no process alive.
 */
export class Recurrence {
  readonly #timer: NodeJS.Timeout;
  #startedAt: number | undefined;
  #underWay: Promise<unknown> | undefined;

  constructor(private readonly recurring: RecurringWork) {
    this.#timer = setInterval(() => this.#check(), recurring.clock.leaps ? LEAPING_CHECK_INTERVAL : CHECK_INTERVAL).unref();
    this.#check();
  }

  /** Resolves when the work under way has ended. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#underWay;
  }

  #check(): void {
    const { clock, interval, work, isMyTurn = () => true } = this.recurring;
    const now = clock.now();
    // In both directions: after a clock was set back, the work would wait too long.
    const isDue = this.#startedAt === undefined || Math.abs(now - this.#startedAt) >= interval;
    if (this.#underWay || !isDue || !isMyTurn()) return;
    this.#startedAt = now;
    this.#underWay = work()
      .catch(() => undefined)
      .finally(() => (this.#underWay = undefined));
  }
}

/** Does the work as {@link Recurrence} does until the signal, then waits for the work under way. */
export const recurUntil = async (stopping: AbortSignal, work: RecurringWork): Promise<void> => {
  if (stopping.aborted) return;
  const stopped = Promise.withResolvers<void>();
  stopping.addEventListener('abort', () => stopped.resolve(), { once: true });
  const recurrence = new Recurrence(work);
  await stopped.promise;
  await recurrence.end();
};
