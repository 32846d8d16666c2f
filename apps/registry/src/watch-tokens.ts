import type { AbandonedTokens } from '#domain/administration';
import { type Clock, recurUntil } from '#kernel';
import type { Log, Metrics } from '#telemetry';

/** The time between two looks, in milliseconds of the service's clock. */
const INTERVAL = 60_000;

interface Parts {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'abandonedTokens'>;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
}

/** Looks for tokens whose maker has left, and counts them in `admin_tokens_abandoned`, until the signal. A round that fails is logged once and repeated with the next one. */
export const watchTokens = (tokens: Pick<AbandonedTokens, 'watch'>, { clock, log, metrics, stopping }: Parts): Promise<void> => {
  let isFailing = false;
  const work = async (): Promise<void> => {
    try {
      metrics.abandonedTokens.set(await tokens.watch());
      isFailing = false;
    } catch (error) {
      if (!stopping.aborted && !isFailing) log.warn('the makers of the admin tokens could not be looked up', { component: 'registry', error });
      isFailing = true;
    }
  };
  return recurUntil(stopping, { clock, interval: INTERVAL, work });
};
