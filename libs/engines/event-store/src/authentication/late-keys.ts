import { pause } from '#kernel';

/** Milliseconds between two checks of the key files. */
const INTERVAL = 2_000;
/** Looks before a key counts as unknown: four minutes, longer than Kubernetes takes to bring a changed secret to every node. */
const MOST_CHECKS = 120;

/**
 * Waits for keys that other services use already. When a wait was in vain, later events under unknown keys wait no more until a key has arrived: an intruder who stores
 * events under keys of its own delays the consumers once.
 */
export class LateKeys {
  #inVain = false;

  constructor(
    private readonly reread: () => Promise<void>,
    private readonly pausing: (milliseconds: number, signal: AbortSignal) => Promise<unknown> = pause,
  ) {}

  /** Resolves when the key has arrived, when it does not arrive in time, or with the signal. */
  async wait(arrived: () => boolean, signal: AbortSignal): Promise<void> {
    for (let checks = 0; ; checks++) {
      await this.reread();
      if (arrived()) {
        this.#inVain = false;
        return;
      }
      if (this.#inVain || signal.aborted) return;
      if (checks === MOST_CHECKS) break;
      await this.pausing(INTERVAL, signal);
    }
    this.#inVain = true;
  }
}
