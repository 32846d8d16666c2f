import { LocatingTokens } from '#kernel';
import type { Projections } from '#engines/read-model';

import type { IdentityParts, IdentityRepositories } from './identity-repositories.js';
import { CheckPin } from './use-cases/check-pin.js';
import { EnrolDevice } from './use-cases/enrol-device.js';
import { FindCodeHolder } from './use-cases/find-code-holder.js';
import { FindCertificateStatus } from './use-cases/find-certificate-status.js';
import { FindEnrolment } from './use-cases/find-enrolment.js';
import { FindDevice } from './use-cases/find-device.js';
import { FindLivingPerson } from './use-cases/find-living-person.js';
import { FindPhoneOrigins } from './use-cases/find-phone-origins.js';
import { FindRevocation } from './use-cases/find-revocation.js';
import { FindPerson } from './use-cases/find-person.js';
import { HasActiveDevice } from './use-cases/has-active-device.js';
import { HasLoggedIn } from './use-cases/has-logged-in.js';
import { ACTIVATION_CODE, IssueActivationCode } from './use-cases/issue-activation-code.js';
import { LinkSubject } from './use-cases/link-subject.js';
import { identitiesProjection } from './read-models/identities-projection.js';
import { RevokedDevices } from './read-models/revoked-devices.js';
import { revokedDevicesProjection } from './read-models/revoked-devices-projection.js';
import { ListDevices } from './read-models/list-devices.js';
import { ListIdentities } from './read-models/list-identities.js';
import { LocateCode } from './use-cases/locate-code.js';
import { ListOwnDevices } from './use-cases/list-own-devices.js';
import { ListSubjectMigrations } from './read-models/list-subject-migrations.js';
import type { PortalPersons } from './portal-persons.js';
import { EnrolmentProof } from './repositories/enrolment-proof.js';
import { ReadPersonalData } from './use-cases/read-personal-data.js';
import { ReadSigningCertificate } from './use-cases/read-signing-certificate.js';
import { RegisterIdentity } from './use-cases/register-identity.js';
import { RenewCertificate } from './use-cases/renew-certificate.js';
import { ResolveSubject } from './use-cases/resolve-subject.js';
import { RevokeOwnDevice } from './use-cases/revoke-own-device.js';
import { RevokeThisDevice } from './use-cases/revoke-this-device.js';
import { type EndSessions, RevokeDevice } from './use-cases/revoke-device.js';

interface WithRepositories {
  readonly identityRepositories: IdentityRepositories;
}

export type IdentityUseCases = ReturnType<typeof identityUseCases>;

export const identityUseCases = ({
  unitOfWork,
  clock,
  randomness,
  certificateAuthority,
  identityRepositories: repositories,
}: IdentityParts & WithRepositories) => {
  const { identities, devices, certificates, records, reservations, inbox, personLimits, subjectIds, subjectLinks, pinProofs } = repositories;
  const [findDevice, enrolmentProof] = [new FindDevice(devices, identities, clock), new EnrolmentProof(identities, devices, clock)];
  return {
    enrolmentProof,
    subjectIds,
    inbox,
    personLimits,
    findDevice,
    findCertificateStatus: new FindCertificateStatus(certificates, devices, identities, findDevice),
    findEnrolment: new FindEnrolment(devices),
    findRevocation: new FindRevocation(devices),
    findLivingPerson: new FindLivingPerson(findDevice, identities),
    findPhoneOrigins: new FindPhoneOrigins(identities),
    registerIdentity: new RegisterIdentity(identities, reservations, records, clock, randomness),
    findPerson: new FindPerson(reservations),
    readPersonalData: new ReadPersonalData(identities, records),
    readSigningCertificate: new ReadSigningCertificate(records),
    linkSubject: new LinkSubject(subjectLinks, identities),
    resolveSubject: new ResolveSubject(subjectLinks, subjectIds, identities),
    hasActiveDevice: new HasActiveDevice(identities, findDevice),
    hasLoggedIn: new HasLoggedIn(subjectLinks, subjectIds),
    checkPin: new CheckPin(unitOfWork, devices, pinProofs),
    renewCertificate: new RenewCertificate({ ...repositories, certificateAuthority, enrolmentProof, clock }),
    listOwnDevices: new ListOwnDevices(identities, devices, records, clock),
  };
};

/**
 * The use cases by which a person gets a phone and loses it. Both concern the portal, to which a phone of a member is the key. `endSessions`: where this process can end the
 * sessions that a revoked phone has taken; without it, another one does.
 */
export const phoneUseCases = (
  parts: IdentityParts & WithRepositories & Pick<IdentityUseCases, 'checkPin'>,
  portalPersons: PortalPersons,
  endSessions?: EndSessions,
) => {
  const { unitOfWork, clock, randomness, keys, certificateAuthority, identityRepositories: repositories, checkPin } = parts;
  const { identities, devices, records } = repositories;
  const codes = new LocatingTokens(keys.token, ACTIVATION_CODE);
  const revokeDevice = new RevokeDevice({ unitOfWork, identities, devices, portalPersons, endSessions });
  return {
    issueActivationCode: new IssueActivationCode(identities, portalPersons, codes, clock),
    locateCode: new LocateCode(codes),
    findCodeHolder: new FindCodeHolder({ identities, records, portalPersons, codes, clock }),
    enrolDevice: new EnrolDevice({ ...repositories, portalPersons, codes, certificateAuthority, clock, randomness }),
    revokeDevice,
    revokeOwnDevice: new RevokeOwnDevice(unitOfWork, identities, checkPin, revokeDevice),
    revokeThisDevice: new RevokeThisDevice(revokeDevice),
  };
};

/** The dependencies of the lists. */
export interface ListParts extends WithRepositories {
  readonly projections: Projections;
}

/** The lists of persons and of their devices. */
export const identityLists = ({
  projections,
  clock,
  identityRepositories: { identities, devices, records },
  readPersonalData,
}: ListParts & Pick<IdentityParts, 'clock'> & Pick<IdentityUseCases, 'readPersonalData'>) => {
  const model = projections.follow(identitiesProjection);
  return {
    listIdentities: new ListIdentities(model, readPersonalData),
    listDevices: new ListDevices({ model, identities, devices, records, clock }),
  };
};

/** The devices that were revoked lately. */
export const revokedDevices = ({ projections, identityRepositories: { devices } }: ListParts): RevokedDevices =>
  new RevokedDevices(projections.follow(revokedDevicesProjection), devices);

/** The list of a client's accounts whose subjectIds change. */
export const subjectMigrations = ({
  projections,
  identityRepositories: { subjectIds },
  linkSubject,
}: ListParts & Pick<IdentityUseCases, 'linkSubject'>) => ({
  listSubjectMigrations: new ListSubjectMigrations(projections, subjectIds, linkSubject),
});
