import type { Metrics } from '#telemetry';

import type { JobQueue } from './job-queue.js';

/** In milliseconds. */
const REPORT_INTERVAL = 5_000;

/** Keeps the metrics of a queue up to date until the signal. */
export const reportCounts = (jobs: JobQueue, queue: string, metrics: Metrics, signal: AbortSignal): void => {
  const report = async (): Promise<void> => {
    const counts = await jobs.counts(queue);
    for (const [state, count] of Object.entries(counts)) metrics.jobs.set({ queue, state }, count as number);
  };
  const timer = setInterval(() => void report().catch(() => undefined), REPORT_INTERVAL).unref();
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
};
