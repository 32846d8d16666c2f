import { setTimeout as sleep } from 'node:timers/promises';

import type { ListClients, ReserveSkeletons } from '#relying-party';
import type { Log } from '#telemetry';

/** Milliseconds of real time until a round that failed is repeated. */
const RETRY = 30_000;

interface ComparisonDependencies {
  readonly reserveSkeletons: Pick<ReserveSkeletons, 'execute'>;
  readonly listClients: Pick<ListClients, 'current' | 'execute'>;
  readonly log: Log;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
}

/** Reserves the skeletons of names that former releases stored, and logs the clients whose names look alike (specification/admin.md#names-of-clients). */
export const compareClientNames = async ({ reserveSkeletons, listClients, log, stopping }: ComparisonDependencies): Promise<void> => {
  while (!stopping.aborted) {
    try {
      for (const { clientId, looksLike } of await reserveSkeletons.execute(listClients))
        log.warn('the names of two clients look alike; rename one', { component: 'registry', clientId, reason: `looks like ${looksLike}` });
      return;
    } catch (error) {
      if (!stopping.aborted) log.warn('the names of the clients could not be compared', { component: 'registry', error });
    }
    await sleep(RETRY, undefined, { signal: stopping, ref: false }).catch(() => undefined);
  }
};
