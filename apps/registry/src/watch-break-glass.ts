import type { WatchBreakGlass } from '#domain/administration';
import { type Clock, recurUntil } from '#kernel';
import type { Log } from '#telemetry';

/** The time between two looks, in milliseconds of the service's clock. */
const INTERVAL = 5_000;

interface Parts {
  readonly clock: Clock;
  readonly log: Log;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
}

/** Looks after a break-glass until the signal. A round that fails is logged once and repeated with the next one. */
export const watchBreakGlass = (watch: WatchBreakGlass, { clock, log, stopping }: Parts): Promise<void> => {
  let isFailing = false;
  const work = async (): Promise<void> => {
    try {
      await watch.execute();
      isFailing = false;
    } catch (error) {
      if (!stopping.aborted && !isFailing) log.warn('a break-glass could not be looked after', { component: 'registry', error });
      isFailing = true;
    }
  };
  return recurUntil(stopping, { clock, interval: INTERVAL, work });
};
