import { administrationUseCases, FIRST_START } from '#administration';
import { isGuarded } from '#config';
import type { Platform } from '#platform';

/**
 * The link that makes a person the first administrator of the portal: for one use, 72 hours. Undefined when the staff has or had a member, and in a guarded environment, whose
 * operator makes an invitation with the admin token.
 */
export const firstPortalLink = async (platform: Platform): Promise<string | undefined> => {
  const { environment, portalUrl } = platform.settings;
  if (isGuarded(environment)) return undefined;
  const invited = await administrationUseCases(platform).portalMembers.inviteFirst(FIRST_START);
  return invited && `${portalUrl.replace(/\/+$/, '')}/#invitation=${invited.code.reveal()}`;
};
