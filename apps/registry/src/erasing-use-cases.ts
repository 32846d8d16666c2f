import { identityUseCases } from '#identity';
import type { Platform } from '#platform';
import { eraseSignings } from '#session';

/** The use cases about persons, whose erasure also reaches what sessions hold of them. */
export const erasingUseCases = (platform: Platform) => {
  const signings = eraseSignings(platform);
  return identityUseCases(platform, [(identityId) => signings.execute(identityId)]);
};
