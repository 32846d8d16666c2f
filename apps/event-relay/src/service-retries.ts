import { pause, retry, ServiceUnavailable } from '#kernel';

/** Repeats work while a service that it needs is unavailable. */
export class ServiceRetries {
  constructor(
    /** Between two tries, in milliseconds. */
    private readonly wait: number,
    /** Called after each try; without an error when it succeeded. */
    private readonly onTry: (error?: unknown) => void,
  ) {}

  /** Throws the errors of the work, except ServiceUnavailable, and the reason of the signal. */
  async untilAvailable<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const result = await retry(work, { waits: this.wait, when: (error) => error instanceof ServiceUnavailable, onRetry: this.onTry, signal });
    this.onTry();
    return result;
  }

  /** Waits for the time between two tries, or for the signal. */
  async pause(signal: AbortSignal): Promise<void> {
    await pause(this.wait, signal);
  }
}
