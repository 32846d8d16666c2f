import { recurUntil } from '#kernel';
import type { Platform } from '#service/platform';

/** The time between two looks, in milliseconds of the service's clock. */
const INTERVAL = 5_000;

/**
 * Looks after the acceptance of a loss of guarded events while the store lacks some, until the platform stops. By use cases whose reads are not compared with what was published: those who may
 * accept are to be found in the store as it is. A round that fails is logged once and repeated with the next one.
 */
export const watchLossAcceptance = async ({ historyGuard, unguarded, clock, log, stopping }: Platform): Promise<void> => {
  if (!historyGuard || !unguarded) return;
  let isFailing = false;
  const work = async (): Promise<void> => {
    if (!historyGuard.loss) return;
    try {
      await unguarded().administration().watchLossAcceptance.execute();
      await historyGuard.look();
      isFailing = false;
    } catch (error) {
      if (!stopping.aborted && !isFailing) log.warn('the acceptance of a loss could not be looked after', { component: 'registry', error });
      isFailing = true;
    }
  };
  await recurUntil(stopping, { clock, interval: INTERVAL, work });
};
