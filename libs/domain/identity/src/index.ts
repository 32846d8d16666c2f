export { verificationKey } from './domain/authentication-key.js';
export { PERSONAL_DATA_LIMITS } from './domain/check-personal-data.js';
export { DeviceLocked, DeviceNotFound, WrongPin } from './domain/device.errors.js';
export type { Device } from './domain/device.js';
export { IdentityExists, IdentityNotFound, SecurityRequired } from './domain/identity.errors.js';
export { type BlockedClient, isBlocked, waitAfterDecline, withBlocked, withoutBlocked } from './domain/person-limits.js';
export { completeDateOfBirth, fullNameOf, latestDateOfBirth, type PersonalData } from './domain/personal-data.js';
export { SubjectIds } from './domain/subject-ids.js';
export { ErasureList } from './erasure-list/erasure-list.js';
export { FileErasureList } from './erasure-list/file/file-erasure-list.js';
export { KafkaErasureList } from './erasure-list/kafka/kafka-erasure-list.js';
export { EraseIdentity } from './erasure/erase-identity.js';
export { type ErasureProof, ProveErasure } from './erasure/prove-erasure.js';
export type { ErasedPerson } from './erasure/erase-sessions.js';
export { ErasureReconciler } from './erasure/erasure-reconciler.js';
export { type IdentityParts, identityRepositories, subjectNames } from './identity-repositories.js';
export {
  erasureUseCases,
  type FurtherErasures,
  identityLists,
  identityUseCases,
  type IdentityUseCases,
  phoneUseCases,
  revokedDevices,
  subjectMigrations,
} from './identity-use-cases.js';
export { PortalPersons } from './portal-persons.js';
export { ListDevices, type ListedDevice } from './read-models/list-devices.js';
export { type ListedIdentity, ListIdentities } from './read-models/list-identities.js';
export { RevokedDevices } from './read-models/revoked-devices.js';
export { ListSubjectMigrations, type ShownMigrations, shownMigrations } from './read-models/list-subject-migrations.js';
export { CheckPin, type PinVerdict } from './use-cases/check-pin.js';
export { EnrolDevice } from './use-cases/enrol-device.js';
export { type CodeHolder, FindCodeHolder } from './use-cases/find-code-holder.js';
export { type LocateCode } from './use-cases/locate-code.js';
export type { CertificateStatus } from './use-cases/find-certificate-status.js';
export { FindLivingPerson } from './use-cases/find-living-person.js';
export { FindDevice } from './use-cases/find-device.js';
export { FindPhoneOrigins } from './use-cases/find-phone-origins.js';
export { FindPerson } from './use-cases/find-person.js';
export { type FoundEnrolment, FindEnrolment } from './use-cases/find-enrolment.js';
export { FindRevocation } from './use-cases/find-revocation.js';
export { HasActiveDevice } from './use-cases/has-active-device.js';
export { Inbox } from './repositories/inbox.js';
export { PersonLimitsRecords } from './repositories/person-limits-records.js';
export { IssueActivationCode } from './use-cases/issue-activation-code.js';
export { LinkSubject } from './use-cases/link-subject.js';
export { EnrolmentProof } from './repositories/enrolment-proof.js';
export { ListOwnDevices, type OwnDevice } from './use-cases/list-own-devices.js';
export { ReadPersonalData } from './use-cases/read-personal-data.js';
export { ReadSigningCertificate } from './use-cases/read-signing-certificate.js';
export { RegisterIdentity } from './use-cases/register-identity.js';
export { RenewCertificate } from './use-cases/renew-certificate.js';
export { ResolveSubject } from './use-cases/resolve-subject.js';
export { RevokeOwnDevice } from './use-cases/revoke-own-device.js';
export { RevokeThisDevice } from './use-cases/revoke-this-device.js';
export { type EndSessions, RevokeDevice } from './use-cases/revoke-device.js';
export type { SubjectNames } from './repositories/subject-names.js';
export { IDENTITIES, IDENTITY_STREAMS, INBOXES } from './streams.js';
