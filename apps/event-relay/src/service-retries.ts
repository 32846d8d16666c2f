import { setTimeout as sleep } from 'node:timers/promises';

import { ServiceUnavailable } from '#kernel';

/** Repeats work while a service that it needs is unavailable. */
export class ServiceRetries {
  constructor(
    /** Between two tries, in milliseconds. */
    private readonly wait: number,
    /** Called after each try; without an error when it succeeded. */
    private readonly onTry: (error?: ServiceUnavailable) => void,
  ) {}

  /** Throws the errors of the work, except ServiceUnavailable, and the reason of the signal. */
  async untilAvailable<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    for (;;) {
      signal.throwIfAborted();
      try {
        const result = await work();
        this.onTry();
        return result;
      } catch (error) {
        if (!(error instanceof ServiceUnavailable)) throw error;
        this.onTry(error);
        await this.pause(signal);
      }
    }
  }

  /** Waits for the time between two tries, or for the signal. */
  async pause(signal: AbortSignal): Promise<void> {
    await sleep(this.wait, undefined, { signal }).catch(() => undefined);
  }
}
