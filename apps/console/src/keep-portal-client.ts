import { backgroundPause, retry, untilAborted } from '#kernel';
import type { Log } from '#telemetry';

import type { PortalLogin } from './portal-login.js';

/** Milliseconds of real time until a round that failed is repeated. */
const RETRY = 30_000;

interface KeepDependencies {
  readonly logins: Pick<PortalLogin, 'keepClient'>;
  readonly log: Log;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
}

/** Registers the portal's client when the service starts, so that the first login need not wait (specification/admin.md#the-services-own-client). */
export const keepPortalClient = async ({ logins, log, stopping }: KeepDependencies): Promise<void> => {
  const keep = (): Promise<void> => logins.keepClient();
  const onRetry = (error: unknown): void => log.warn("the portal's client could not be registered", { component: 'console', error });
  await untilAborted(stopping, retry(keep, { waits: RETRY, onRetry, signal: stopping, pause: backgroundPause }));
};
