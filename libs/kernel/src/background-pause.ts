import { setTimeout as sleep } from 'node:timers/promises';

import type { Pause } from '../browser/src/index.js';

/** As `pause`, but a process in which nothing else is left ends before the time. */
export const backgroundPause: Pause = (milliseconds, signal) =>
  sleep(milliseconds, undefined, { ref: false, ...(signal && { signal }) }).catch(() => undefined);
