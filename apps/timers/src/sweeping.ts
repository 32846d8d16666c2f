import { recurUntil } from '#kernel';
import type { Platform } from '#service/platform';
import type { SweepOldSessions } from '#domain/session';

/** The time between two sweeps, in milliseconds of the service's clock. */
const INTERVAL = 3_600_000;

/** Sweeps now and each hour, while it is this process's turn, until the signal. A sweep that fails is logged and repeated with the next one. */
export const sweepHourly = (
  sweep: SweepOldSessions,
  isMyTurn: () => boolean,
  { clock, log, stopping }: Pick<Platform, 'clock' | 'log' | 'stopping'>,
): Promise<void> => {
  const work = (): Promise<unknown> =>
    sweep.execute(stopping).catch((error: unknown) => {
      if (!stopping.aborted) log.warn('old sessions could not be swept', { component: 'timers', error });
    });
  return recurUntil(stopping, { clock, interval: INTERVAL, work, isMyTurn });
};
