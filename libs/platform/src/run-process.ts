import { InvalidSettings } from '#config';
import { ServiceUnavailable } from '#kernel';

import { openPlatform } from './open-platform.js';
import { type Application, serveApplications } from './serve-applications.js';
import { readSettings } from './settings.js';

/** Something that runs until it is told to stop. */
export interface Running {
  /** Finishes what is under way. */
  close(): Promise<void>;
}

/** Starts, runs until SIGTERM or SIGINT, and closes. A start that cannot be is explained in a line, and the process exits with 1. */
export const runProcess = async (start: () => Promise<Running>): Promise<void> => {
  try {
    const running = await start();
    let stopping = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        // Who asks twice does not want to wait.
        if (stopping) process.exit(1);
        stopping = true;
        void running.close().then(() => process.exit(0));
      });
    }
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
};

/** One application as a process of its own, with the settings of the environment. */
export const runApplication = (application: Application): Promise<void> =>
  runProcess(async () => {
    const platform = await openPlatform(readSettings());
    const served = await serveApplications(platform, [application]);
    return {
      close: async () => {
        platform.stop();
        await served.close();
        await platform.close();
      },
    };
  });

const explain = (error: unknown): string => {
  if (error instanceof InvalidSettings) return error.message;
  if (error instanceof ServiceUnavailable) return error.reason;
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return `Another process listens on port ${(error as { port?: number }).port}. Set PORT, OPS_PORT or DEMO_PORT to a free one.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};
