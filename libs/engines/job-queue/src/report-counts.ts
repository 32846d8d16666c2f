import type { Metrics } from '#telemetry';

import type { JobCounts, JobQueue } from './job-queue.js';

/** In milliseconds. A process that stood still for longer first counts what has become due, before it takes any of it. */
const REPORT_INTERVAL = 5_000;

const STATES: readonly (keyof JobCounts)[] = ['scheduled', 'due', 'running', 'failed'];

/** Reports the metrics of a queue until the signal; then it removes them, as another process may report them. `interval`: between reports, milliseconds. */
export const reportCounts = (jobs: JobQueue, queue: string, metrics: Metrics, signal: AbortSignal, interval = REPORT_INTERVAL): void => {
  const report = async (): Promise<void> => {
    const counts = await jobs.counts(queue);
    if (signal.aborted) return;
    for (const [state, count] of Object.entries(counts)) metrics.jobs.set({ queue, state }, count as number);
  };
  const timer = setInterval(() => void report().catch(() => undefined), interval).unref();
  const end = (): void => {
    clearInterval(timer);
    for (const state of STATES) metrics.jobs.remove({ queue, state });
  };
  signal.addEventListener('abort', end, { once: true });
};
