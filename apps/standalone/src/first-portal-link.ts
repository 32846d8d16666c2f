import { FIRST_START } from '#domain/administration';
import { isGuarded } from '#service/config';
import type { Platform } from '#service/platform';

/**
 * The link that makes a person the first administrator of the portal: for one use, 72 hours. Undefined when the staff has or had a member, and in a guarded environment, whose
 * operator makes an invitation with the admin token. Undefined too, with a log line, when the store cannot be read: the service goes on and says so to each request.
 */
export const firstPortalLink = async (platform: Platform): Promise<string | undefined> => {
  const { environment, portalUrl } = platform.settings;
  if (isGuarded(environment)) return undefined;
  const invited = await platform.useCases
    .administration()
    .portalMembers.inviteFirst(FIRST_START)
    .catch((error: unknown) => {
      platform.log.error('there is no link for the first administrator of the portal', { error });
      return undefined;
    });
  return invited && `${portalUrl.replace(/\/+$/, '')}/#invitation=${invited.code.reveal()}`;
};
