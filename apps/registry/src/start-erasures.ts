import type { ErasureReconciler } from '#domain/identity';
import type { StoreHistory } from '#engines/event-store';
import { type Clock, recurUntil } from '#kernel';
import type { Log } from '#telemetry';

/** The time between two rounds, in milliseconds of the service's clock. */
const INTERVAL = 30_000;

export interface ErasureDependencies {
  readonly clock: Clock;
  readonly log: Log;
  readonly storeHistory: Pick<StoreHistory, 'onChange'>;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
}

/** Runs the reconciler now and every 30 seconds, until the signal. A round that fails is logged and repeated with the next one. */
export const startErasures = (reconciler: ErasureReconciler, { clock, log, storeHistory, stopping }: ErasureDependencies): Promise<void> => {
  storeHistory.onChange(() => reconciler.storeRestored());
  const failed = (error: unknown): number => {
    if (!stopping.aborted) log.warn('erasures could not be finished', { component: 'registry', error });
    return 0;
  };
  const work = async (): Promise<void> => {
    // This runs first, since these persons are visible until they are erased again. If it fails, the rest still runs: the list may be
    // unavailable while the store is available.
    const again = await reconciler.reapply().catch(failed);
    if (again > 0) log.warn('the store was restored from an older copy, and persons were erased again', { component: 'registry', count: again });
    const count = await reconciler.reconcile().catch(failed);
    if (count > 0) log.info('interrupted erasures finished', { component: 'registry', count });
  };
  return recurUntil(stopping, { clock, interval: INTERVAL, work });
};
