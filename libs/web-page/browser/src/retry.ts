/** How long to wait before the n-th repetition of a call without an answer: 1, 2, 4, then 5 s, or the time that the service asked for. */
export const retryDelayMs = (failures: number, askedForMs?: number): number => askedForMs ?? Math.min(5000, 1000 * 2 ** Math.max(0, failures - 1));

/** Waits; ends early when the browser is online again. */
export const pauseUntilOnline = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    addEventListener('online', end);
  });
