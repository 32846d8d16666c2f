import { type Clock, type KeyRing, LocatingTokens, type Randomness, type RingKey, Sealer } from '#kernel';
import type { EventStore } from '#event-store';
import { registeredClientIds } from '#relying-party';

import { SubjectIds } from './domain/subject-ids.js';
import { EraseIdentity } from './erasure/erase-identity.js';
import type { ErasureStep } from './erasure/erasure-step.js';
import { erasureSteps } from './erasure/erasure-steps.js';
import { ResumeErasures } from './erasure/resume-erasures.js';
import type { CertificateAuthority } from './ports/certificate-authority.js';
import { CheckPin } from './use-cases/check-pin.js';
import { Devices } from './use-cases/devices.js';
import { EnrolDevice } from './use-cases/enrol-device.js';
import { type CertificateStatus, FindCertificateStatus } from './use-cases/find-certificate-status.js';
import { FindDevice } from './use-cases/find-device.js';
import { HasActiveDevice } from './use-cases/has-active-device.js';
import { Identities } from './use-cases/identities.js';
import { Inbox } from './use-cases/inbox.js';
import { ACTIVATION_CODE, IssueActivationCode } from './use-cases/issue-activation-code.js';
import { LinkSubject } from './use-cases/link-subject.js';
import { ListDevices } from './use-cases/list-devices.js';
import { PersonRecords } from './use-cases/person-records.js';
import { PersonReservations } from './use-cases/person-reservations.js';
import { PinProofs } from './use-cases/pin-proofs.js';
import { ReadPersonalData } from './use-cases/read-personal-data.js';
import { ReadSigningCertificate } from './use-cases/read-signing-certificate.js';
import { RegisterIdentity } from './use-cases/register-identity.js';
import { ResolveSubject } from './use-cases/resolve-subject.js';
import { RevokeDevice } from './use-cases/revoke-device.js';

/** What the use cases need of the process they run in. */
export interface IdentityParts {
  readonly eventStore: EventStore;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly keys: { readonly token: KeyRing; readonly pin: KeyRing; readonly data: KeyRing; readonly subject: RingKey };
  readonly settings: { readonly environment: string };
  readonly certificateAuthority: CertificateAuthority;
}

/** What the register knows of a certificate, by its serial number. */
export const certificateStatusLookUp = ({ eventStore, clock, randomness }: Pick<IdentityParts, 'eventStore' | 'clock' | 'randomness'>) => {
  const findDevice = new FindDevice(new Devices(eventStore, clock, randomness), new Identities(eventStore, clock, randomness), clock);
  const findCertificateStatus = new FindCertificateStatus(eventStore, findDevice);
  return (serial: string): Promise<CertificateStatus> => findCertificateStatus.execute(serial);
};

/** `furtherErasures`: what other libraries store of a person; done before the person's own record goes. */
export const identityUseCases = (parts: IdentityParts, furtherErasures: readonly ErasureStep[] = []) => {
  const { eventStore: store, clock, randomness, keys, certificateAuthority } = parts;
  const identities = new Identities(store, clock, randomness);
  const devices = new Devices(store, clock, randomness);
  const records = new PersonRecords(store, new Sealer(keys.data, randomness), clock, randomness);
  const reservations = new PersonReservations(store, clock, randomness, keys.subject.key);
  const subjectIds = new SubjectIds(keys.subject.key, parts.settings.environment);
  const inbox = new Inbox(store, clock, randomness);
  const pinProofs = new PinProofs(keys.pin);
  const codes = new LocatingTokens(keys.token, ACTIVATION_CODE);
  const findDevice = new FindDevice(devices, identities, clock);
  const ownErasures = erasureSteps({ store, reservations, records, inbox, subjectIds, clientIds: () => registeredClientIds(store) });
  const eraseIdentity = new EraseIdentity(identities, [...furtherErasures, ...ownErasures], clock);
  return {
    subjectIds,
    inbox,
    findDevice,
    eraseIdentity,
    resumeErasures: new ResumeErasures(store, eraseIdentity),
    registerIdentity: new RegisterIdentity(identities, reservations, records, clock, randomness),
    readPersonalData: new ReadPersonalData(identities, records),
    readSigningCertificate: new ReadSigningCertificate(records),
    linkSubject: new LinkSubject(store, subjectIds, identities, clock, randomness),
    resolveSubject: new ResolveSubject(store, identities),
    hasActiveDevice: new HasActiveDevice(identities, findDevice),
    checkPin: new CheckPin(devices, pinProofs, clock),
    issueActivationCode: new IssueActivationCode(identities, codes, clock),
    enrolDevice: new EnrolDevice({ store, identities, devices, records, pinProofs, codes, certificateAuthority, clock, randomness }),
    listDevices: new ListDevices(identities, devices, records, clock),
    revokeDevice: new RevokeDevice(identities, devices, clock),
  };
};
