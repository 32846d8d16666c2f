import type { PortalMembers } from '#domain/administration';
import type { Log } from '#telemetry';

/**
 * Ends the first start for ever if those who hold `security` are enough by now, as after FOUR_EYES was switched off. A failure is logged: the next use of `ADMIN_TOKEN` looks again before it
 * lets anyone in.
 */
export const endFirstStart = async (members: Pick<PortalMembers, 'isFirstStartOver'>, log: Log): Promise<void> => {
  try {
    await members.isFirstStartOver();
  } catch (error) {
    log.warn('it could not be seen whether the first start is over', { component: 'registry', error });
  }
};
