import { untilAborted } from '#kernel/browser';

/** Asks the service again and again between `start` and `stop`. */
export abstract class Watcher {
  private running: AbortController | undefined;

  start(): void {
    if (this.running !== undefined) return;
    this.running = new AbortController();
    const { signal } = this.running;
    void untilAborted(signal, this.watch(signal));
  }

  stop(): void {
    this.running?.abort();
    this.running = undefined;
  }

  /** Ends at the signal. */
  protected abstract watch(signal: AbortSignal): Promise<void>;
}
