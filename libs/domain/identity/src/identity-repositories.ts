import { type ClientId, type Clock, type KeyRing, type Randomness, type RingKey, type Sealer, type SubjectKeys } from '#kernel';
import type { EventStore, UnitOfWork } from '#engines/event-store';
import type { CertificateAuthority } from '#signatures/pki';

import { PinProofs } from './domain/pin-proofs.js';
import { SubjectIds } from './domain/subject-ids.js';
import { Certificates } from './repositories/certificates.js';
import { Devices } from './repositories/devices.js';
import { Identities } from './repositories/identities.js';
import { Inbox } from './repositories/inbox.js';
import { PersonLimitsRecords } from './repositories/person-limits-records.js';
import { PersonRecords } from './repositories/person-records.js';
import { PersonReservations } from './repositories/person-reservations.js';
import { SubjectLinks } from './repositories/subject-links.js';
import { SubjectNames } from './repositories/subject-names.js';

/** The dependencies of the use cases: the parts of the process that they run in. */
export interface IdentityParts {
  readonly eventStore: EventStore;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly keys: { readonly token: KeyRing; readonly pin: KeyRing; readonly subject: SubjectKeys; readonly index: RingKey };
  readonly sealer: Sealer;
  readonly settings: { readonly environment: string; readonly pushSessionTtl: number };
  /** Undefined where nothing is signed. */
  readonly certificateAuthority: CertificateAuthority | undefined;
}

export type IdentityRepositories = ReturnType<typeof identityRepositories>;

/** The repositories of persons and devices, with their caches. */
export const identityRepositories = ({
  eventStore: store,
  unitOfWork,
  clock,
  keys,
  sealer,
  settings,
}: Omit<IdentityParts, 'certificateAuthority'>) => {
  const subjectIds = new SubjectIds(keys.subject, settings.environment);
  return {
    identities: new Identities(store, unitOfWork),
    devices: new Devices(unitOfWork),
    certificates: new Certificates(unitOfWork),
    records: new PersonRecords(unitOfWork, sealer),
    reservations: new PersonReservations(unitOfWork, keys.index.key),
    inbox: new Inbox(store, clock, settings.pushSessionTtl),
    personLimits: new PersonLimitsRecords(unitOfWork),
    subjectIds,
    subjectLinks: new SubjectLinks(unitOfWork, subjectIds),
    pinProofs: new PinProofs(keys.pin),
  };
};

/** The subjectIds of persons at one client. */
export const subjectNames = (
  clientId: ClientId,
  { subjectIds, subjectLinks }: Pick<IdentityRepositories, 'subjectIds' | 'subjectLinks'>,
): SubjectNames => new SubjectNames(clientId, subjectLinks, subjectIds);
