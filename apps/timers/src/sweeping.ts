import { setTimeout as sleep } from 'node:timers/promises';

import type { Platform } from '#platform';
import type { SweepOldSessions } from '#session';

/** The time between two sweeps, in milliseconds of the service's clock. */
const INTERVAL = 3_600_000;
/** How often the clock is read, in milliseconds of real time: the sandbox moves the clock. */
const CHECK_INTERVAL = 1_000;

/** Sweeps now and each hour, while it is this process's turn, until the signal. A sweep that fails is logged and repeated with the next one. */
export const sweepHourly = async (
  sweep: SweepOldSessions,
  isMyTurn: () => boolean,
  { clock, log, stopping }: Pick<Platform, 'clock' | 'log' | 'stopping'>,
): Promise<void> => {
  for (let next = -Infinity; !stopping.aborted;) {
    if (clock.now() >= next && isMyTurn()) {
      next = clock.now() + INTERVAL;
      await sweep.execute(stopping).catch((error: unknown) => {
        if (!stopping.aborted) log.warn('old sessions could not be swept', { component: 'timers', error });
      });
    }
    await sleep(CHECK_INTERVAL, undefined, { signal: stopping, ref: false }).catch(() => undefined);
  }
};
