/** `fetch` that gives up when the process, or its sandbox, begins to stop: what the sandbox asks itself would wait for the end of the very request that asks. */
export const ownCalls =
  (stopping: AbortSignal): typeof fetch =>
  (input, init) =>
    fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, stopping]) : stopping });
