import type { ClientId, IdentityId, SubjectId } from '#kernel';

import type { Certificates } from '../repositories/certificates.js';
import type { Devices } from '../repositories/devices.js';
import type { Identities } from '../repositories/identities.js';
import type { Inbox } from '../repositories/inbox.js';
import type { PersonLimitsRecords } from '../repositories/person-limits-records.js';
import type { DeviceRecord, PersonRecords } from '../repositories/person-records.js';
import type { PersonReservations } from '../repositories/person-reservations.js';
import type { SubjectLinks } from '../repositories/subject-links.js';
import type { ErasureList } from '../erasure-list/erasure-list.js';
import type { ErasureStep } from './erasure-step.js';

export interface ErasureParts {
  readonly identities: Identities;
  readonly reservations: PersonReservations;
  readonly records: PersonRecords;
  readonly inbox: Inbox;
  readonly personLimits: PersonLimitsRecords;
  readonly devices: Devices;
  readonly certificates: Certificates;
  readonly subjectLinks: SubjectLinks;
  /** Every subjectId of the person that was stored before the newest event of the identity. Throws ServiceUnavailable. */
  readonly subjectIdsOf: (identityId: IdentityId) => Promise<readonly SubjectId[]>;
}

/** Releases the person's subjectIds at every client. */
export const releaseSubjects =
  ({ subjectLinks, subjectIdsOf }: Pick<ErasureParts, 'subjectLinks' | 'subjectIdsOf'>): ErasureStep =>
  async (identityId) => {
    for (const subjectId of await subjectIdsOf(identityId)) await subjectLinks.release(subjectId);
  };

/** Tells the clients that have learned a subjectId of the person, while the links still name them. */
export const tellClients =
  ({ subjectLinks, subjectIdsOf }: Pick<ErasureParts, 'subjectLinks' | 'subjectIdsOf'>, tell: TellClients): ErasureStep =>
  async (identityId) => {
    const links = await Promise.all((await subjectIdsOf(identityId)).map((subjectId) => subjectLinks.find(subjectId)));
    await tell(
      identityId,
      links.flatMap((link) => link?.clientId ?? []),
    );
  };

/** Told of the clients at which an erased person has logged in. May be told again. */
export type TellClients = (identityId: IdentityId, clientIds: readonly ClientId[]) => Promise<void>;

/** Puts the person on the list that is kept apart from the store. */
export const listErasure =
  (identities: Identities, list: ErasureList): ErasureStep =>
  async (identityId) => {
    const erasedAt = await identities.erasedAt(identityId);
    if (erasedAt !== undefined) await list.add(identityId, erasedAt);
  };

/**
 * Erases the data of libs/domain/identity about a person. The record goes after the steps that read it. The subjectIds go last: they are found in a read
 * model, and while that is unavailable everything else is erased already.
 */
export const erasureSteps = (parts: ErasureParts, tell: TellClients): readonly ErasureStep[] => [
  async function releasePerson(identityId) {
    const record = await parts.records.read(identityId);
    if (record) await parts.reservations.release(record.person, identityId);
  },
  async function closeInbox(identityId) {
    await parts.inbox.close(identityId);
  },
  async function eraseLimits(identityId) {
    await parts.personLimits.erase(identityId);
  },
  eraseDevices(parts),
  async function eraseRecord(identityId) {
    await parts.records.erase(identityId);
  },
  tellClients(parts, tell),
  releaseSubjects(parts),
];

/** Tombstones the devices of a person, also those of enrolments that have not ended, after their certificates are revoked. */
const eraseDevices =
  ({ identities, records, devices, certificates }: ErasureParts): ErasureStep =>
  async (identityId) => {
    const identity = await identities.get(identityId);
    if (identity.status !== 'ERASED') return;
    const recorded = (await records.read(identityId))?.devices ?? {};
    for (const deviceId of new Set([...identity.devices, ...(Object.keys(recorded) as (keyof typeof recorded)[])])) {
      const revokedAt = (await devices.revokedAt(deviceId)) ?? identity.erasedAt;
      const issued = certificatesOf(recorded[deviceId], (await devices.find(deviceId))?.enrolment.certificateSerial);
      for (const [serial, notAfter] of issued) await certificates.revoke(serial, revokedAt, notAfter);
      await devices.erase(deviceId);
    }
  };

/** The serials of a device's certificates with their ends: the first one, which the device names too, and those of renewals. */
const certificatesOf = (record: DeviceRecord | undefined, enrolled: string | undefined): ReadonlyMap<string, number | undefined> => {
  const serials = new Map<string, number | undefined>();
  if (enrolled !== undefined) serials.set(enrolled, undefined);
  for (const { serial, notAfter } of record ? [...(record.earlierCertificates ?? []), record] : [])
    if (serial !== undefined) serials.set(serial, notAfter);
  return serials;
};
