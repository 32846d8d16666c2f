import type { DeviceId, IdentityId } from '#kernel';

/**
 * The persons who have rights in the portal. The enrolment and the revocation of phones need them: a phone of such a person is a key to the service. libs/administration
 * implements this.
 */
export abstract class PortalPersons {
  /**
   * Withdraws the open invitations that were made in portal sessions of this phone. Called after the phone was revoked; may be repeated. No invitation of a revoked
   * phone is ever used, whether this was called or not: it keeps the lists true. Throws ServiceUnavailable and NewerEventStored.
   */
  abstract phoneRevoked(identityId: IdentityId, deviceId: DeviceId): Promise<void>;
}
