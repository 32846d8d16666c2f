import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two tries: first short, for conditions that hold at once, then longer. */
const FIRST_PAUSE = 10;
const LONGEST_PAUSE = 100;

export interface EventuallyOptions {
  /** Names the awaited condition in the error message. Default: the condition's source. */
  readonly what?: string | (() => string);
  /** Milliseconds. Default: 30,000. */
  readonly within?: number;
  /** The longest time between two tries, in milliseconds: for a condition whose requests a limit counts. Default: 100. */
  readonly pause?: number;
}

/** Resolves once a condition holds. Throws an error that names the condition when it does not hold in time. */
export const eventually = async (
  holds: () => boolean | Promise<boolean>,
  { what = () => String(holds), within = 30_000, pause: longest = LONGEST_PAUSE }: EventuallyOptions = {},
): Promise<void> => {
  const giveUpAt = performance.now() + within;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, longest)) {
    const began = performance.now();
    if (await holds()) return;
    const now = performance.now();
    if (now > giveUpAt) throw new Error(`${typeof what === 'string' ? what : what()}: not within ${within} ms`);
    // A costly condition must not slow down the work that it waits for.
    await sleep(Math.max(pause, now - began));
  }
};
