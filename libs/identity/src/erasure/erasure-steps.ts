import type { ClientId, IdentityId } from '#kernel';

import type { Certificates } from '../repositories/certificates.js';
import type { Devices } from '../repositories/devices.js';
import type { Identities } from '../repositories/identities.js';
import type { Inbox } from '../repositories/inbox.js';
import type { PersonRecords } from '../repositories/person-records.js';
import type { PersonReservations } from '../repositories/person-reservations.js';
import type { SubjectLinks } from '../repositories/subject-links.js';
import type { ErasureList } from '../erasure-list/erasure-list.js';
import type { ErasureStep } from './erasure-step.js';

export interface ErasureParts {
  readonly identities: Identities;
  readonly reservations: PersonReservations;
  readonly records: PersonRecords;
  readonly inbox: Inbox;
  readonly devices: Devices;
  readonly certificates: Certificates;
  readonly subjectLinks: SubjectLinks;
  /** All clients that may know the erased person: those that were registered before the newest event of the identity. */
  readonly clientIds: (identityId: IdentityId) => Promise<readonly ClientId[]>;
}

/** Releases the person's subjectIds at every client. */
export const releaseSubjects =
  ({ subjectLinks, clientIds }: Pick<ErasureParts, 'subjectLinks' | 'clientIds'>): ErasureStep =>
  async (identityId) => {
    for (const clientId of await clientIds(identityId)) await subjectLinks.release(clientId, identityId);
  };

/** Puts the person on the list that outlives a restored store. */
export const listErasure =
  (identities: Identities, list: ErasureList): ErasureStep =>
  async (identityId) => {
    const erasedAt = await identities.erasedAt(identityId);
    if (erasedAt !== undefined) await list.add(identityId, erasedAt);
  };

/** Erases the data of libs/identity about a person. The record goes last, because the steps before it read it. */
export const erasureSteps = (parts: ErasureParts): readonly ErasureStep[] => [
  async function releasePerson(identityId) {
    const record = await parts.records.read(identityId);
    if (record) await parts.reservations.release(record.person, identityId);
  },
  releaseSubjects(parts),
  async function closeInbox(identityId) {
    await parts.inbox.close(identityId);
  },
  eraseDevices(parts),
  async function eraseRecord(identityId) {
    await parts.records.erase(identityId);
  },
];

/** Tombstones the devices of a person, also those of enrolments that have not ended, after their certificates are revoked. */
const eraseDevices =
  ({ identities, records, devices, certificates }: ErasureParts): ErasureStep =>
  async (identityId) => {
    const identity = await identities.get(identityId);
    if (identity.status !== 'ERASED') return;
    const recorded = (await records.read(identityId))?.devices ?? {};
    for (const deviceId of new Set([...identity.devices, ...(Object.keys(recorded) as (keyof typeof recorded)[])])) {
      const serial = (await devices.find(deviceId))?.enrolment.certificateSerial ?? recorded[deviceId]?.serial;
      const revokedAt = (await devices.revokedAt(deviceId)) ?? identity.erasedAt;
      if (serial !== undefined) await certificates.revoke(serial, revokedAt, recorded[deviceId]?.notAfter);
      await devices.erase(deviceId);
    }
  };
