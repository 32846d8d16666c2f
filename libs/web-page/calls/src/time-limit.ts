/**
 * Does some work with a signal that aborts when the time is over, or when another signal does. Both end with the work. `AbortSignal.timeout` and
 * `AbortSignal.any` would be shorter, but browsers that the pages are built for lack them.
 *
 * @param end aborts the work before its time is over
 */
export const withTimeLimit = async <Result>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<Result>,
  end?: AbortSignal,
): Promise<Result> => {
  const limit = new AbortController();
  const abort = (): void => limit.abort();
  const timer = setTimeout(abort, milliseconds);
  if (end?.aborted) abort();
  else end?.addEventListener('abort', abort);
  try {
    return await work(limit.signal);
  } finally {
    clearTimeout(timer);
    end?.removeEventListener('abort', abort);
  }
};
