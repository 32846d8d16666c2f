import type { sessionsOfRevokedDevices } from '#domain/session';
import { type Clock, recurUntil } from '#kernel';
import type { Log } from '#telemetry';

/** The time between two looks at the devices that any process has revoked, in milliseconds of the service's clock. */
const INTERVAL = 1_000;

type UseCases = ReturnType<typeof sessionsOfRevokedDevices>;

interface Parts {
  readonly clock: Clock;
  readonly log: Log;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
}

/** Ends the sessions of revoked devices until the signal. A round that fails is logged and repeated with the next one. */
export const endSessionsOfRevokedDevices = (
  { endSessionsOfRevokedDevices: sessions }: Pick<UseCases, 'endSessionsOfRevokedDevices'>,
  { clock, log, stopping }: Parts,
): Promise<void> => {
  let isFailing = false;
  const work = async (): Promise<void> => {
    try {
      await sessions.execute();
      isFailing = false;
    } catch (error) {
      if (!stopping.aborted && !isFailing) log.warn('sessions of revoked devices could not be ended yet', { component: 'registry', error });
      isFailing = true;
    }
  };
  return recurUntil(stopping, { clock, interval: INTERVAL, work });
};
