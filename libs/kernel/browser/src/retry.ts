/** Waits so many milliseconds, or until the signal. */
export type Pause = (milliseconds: number, signal?: AbortSignal) => Promise<unknown>;

/** By the system's timer. Does not reject. */
export const pause: Pause = (milliseconds, signal) =>
  new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });

/** Milliseconds before the next try, after so many failures in a row, the last of which is this error. Undefined: there is no further try. */
export type Waits = (failures: number, error: unknown) => number | undefined;

export interface Growth {
  /** Milliseconds before the second try. */
  readonly first: number;
  readonly longest: number;
  /** Takes a random half off each wait, so that the processes that failed together do not try again together. Default: the waits are exact. */
  readonly randomness?: { bytes(length: number): { readUInt16BE(): number } };
}

/** Waits that double with each failure in a row, up to the longest. */
export const growing =
  ({ first, longest, randomness }: Growth) =>
  (failures: number): number => {
    const full = Math.min(longest, first * 2 ** Math.min(failures - 1, 30));
    return randomness ? full * (0.5 + randomness.bytes(2).readUInt16BE() / 0x2_0000) : full;
  };

export interface RetryOptions {
  /** One wait before each further try, or a list with one wait for each of them, or {@link Waits}. Milliseconds; at 0 the next try begins at once. */
  readonly waits: number | readonly number[] | Waits;
  /** Whether work that failed so is tried again. Default: always. */
  readonly when?: (error: unknown) => boolean;
  /** No try begins at this time of the clock (monotonic, milliseconds) or later. */
  readonly until?: { readonly clock: { monotonic(): number }; readonly time: number };
  /** The error in place of the last one, when the waits or the time have come to their end. */
  readonly exhausted?: (error: unknown) => Error;
  /** Ends the waiting; the work itself looks at it where it can. */
  readonly signal?: AbortSignal | undefined;
  /** Called before each wait, with the number of failures in a row. */
  readonly onRetry?: (error: unknown, failures: number) => void;
  /** Default: {@link pause}. */
  readonly pause?: Pause;
}

/**
 * Does the work, and does it again while it fails. `attempt` counts all tries from 1; `progressed` begins the count of failures in a row anew, for work that
 * lasts. Throws an error of the work that is not to be tried again, the last error or that of `exhausted` at the end of the waits or of the time, and
 * the reason of the signal in place of a try that would begin after it.
 */
export const retry = async <Result>(
  work: (attempt: number, progressed: () => void) => Promise<Result>,
  { waits, when, until, exhausted, signal, onRetry, pause: wait = pause }: RetryOptions,
): Promise<Result> => {
  const waitAfter = waitsOf(waits);
  let failures = 0;
  const progressed = (): void => void (failures = 0);
  for (let attempt = 1; ; attempt += 1) {
    endBy(signal);
    try {
      return await work(attempt, progressed);
    } catch (error) {
      if (when?.(error) === false) throw error;
      endBy(signal);
      const milliseconds = waitAfter(++failures, error);
      if (milliseconds === undefined || (until && until.clock.monotonic() + milliseconds >= until.time)) throw exhausted?.(error) ?? error;
      onRetry?.(error, failures);
      if (milliseconds > 0) await wait(milliseconds, signal);
    }
  }
};

/** Throws the reason of a signal. Pages work in browsers that lack `AbortSignal.throwIfAborted`. */
const endBy = (signal: AbortSignal | undefined): void => {
  if (signal?.aborted) throw signal.reason;
};

const waitsOf = (waits: RetryOptions['waits']): Waits => {
  if (typeof waits === 'function') return waits;
  return typeof waits === 'number' ? () => waits : (failures) => waits[failures - 1];
};

/** The work's result; undefined when it fails after the signal. */
export const untilAborted = async <Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (!signal.aborted) throw error;
    return undefined;
  }
};
