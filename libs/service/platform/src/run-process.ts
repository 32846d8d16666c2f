import { flushCompileCache } from 'node:module';

import { explainStartFailure } from './explain-start-failure.js';
import { openPlatform } from './open-platform.js';
import { type Application, serveApplications } from './serve-applications.js';
import { readSettings } from './settings.js';

/** A started process. */
export interface Running {
  /** Answers the requests that have arrived, then closes everything. */
  close(): Promise<void>;
  /** Resolves when the process has to end at once: nothing that it still does would be stored. */
  readonly failed?: Promise<Error>;
}

/** The files that the process creates belong to its user alone. */
const UMASK = 0o077;

/** Runs until SIGTERM or SIGINT, then closes and exits with 0. When the start fails, or turns out later to have been wrong, prints why and exits with 1. */
export const runProcess = async (start: () => Promise<Running>): Promise<void> => {
  process.umask(UMASK);
  try {
    const running = await start();
    // The next process finds compiled code even if this one is killed. Nothing happens without NODE_COMPILE_CACHE.
    flushCompileCache();
    let stopping = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (stopping) process.exit(1); // a second signal exits at once
        stopping = true;
        void running.close().then(() => process.exit(0));
      });
    }
    void running.failed?.then(fail);
  } catch (error) {
    fail(error);
  }
};

const fail = (error: unknown): void => {
  process.stderr.write(`${explainStartFailure(error)}\n`);
  process.exit(1);
};

/** Runs one application in this process, with the settings of the environment. */
export const runApplication = (application: Application): Promise<void> =>
  runProcess(async () => {
    const platform = await openPlatform(readSettings());
    const served = await serveApplications(platform, [application]);
    return {
      failed: platform.failed,
      close: async () => {
        platform.stop();
        await served.close();
        await platform.close();
      },
    };
  });
