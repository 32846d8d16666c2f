import type { DeviceId, IdentityId } from '#kernel';

/**
 * The persons who have rights in the portal. The enrolment and the revocation of phones need them: a phone of such a person is a key to the service. libs/domain/administration
 * implements this.
 */
export abstract class PortalPersons {
  /**
   * Whether the person is a member of the portal at this time: of the staff with any role, or of a relying party. Decided on the event store, never on a read model:
   * a person who has joined before the call counts. Throws ServiceUnavailable and NewerEventStored.
   */
  abstract isMember(identityId: IdentityId): Promise<boolean>;

  /**
   * Withdraws the open invitations that were made in portal sessions of this phone. Called after the phone was revoked; may be repeated. No invitation of a revoked
   * phone is ever used, whether this was called or not: it keeps the lists true. Throws ServiceUnavailable and NewerEventStored.
   */
  abstract phoneRevoked(deviceId: DeviceId): Promise<void>;
}
