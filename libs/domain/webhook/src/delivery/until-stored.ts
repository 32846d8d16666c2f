import { type Pause, retry, ServiceUnavailable } from '#kernel';

/** Milliseconds until an outcome that the store has not taken is stored again. */
const STORE_AGAIN = 1_000;

/** Repeats the work while the store is unavailable. The first try is made in any case: the signal ends the wait alone, and then this throws ServiceUnavailable. */
export const untilStored = <Result>(store: () => Promise<Result>, pause: Pause, signal: AbortSignal): Promise<Result> => {
  let failure: unknown;
  return retry(store, {
    waits: STORE_AGAIN,
    when: (error) => error instanceof ServiceUnavailable,
    onRetry: (error) => (failure = error),
    pause: async (milliseconds) => {
      await pause(milliseconds, signal);
      if (signal.aborted) throw failure as Error;
    },
  });
};
