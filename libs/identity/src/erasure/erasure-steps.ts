import type { ClientId } from '#kernel';
import type { EventStore } from '#event-store';

import type { SubjectIds } from '../domain/subject-ids.js';
import type { Inbox } from '../use-cases/inbox.js';
import type { PersonRecords } from '../use-cases/person-records.js';
import type { PersonReservations } from '../use-cases/person-reservations.js';
import { subjectStream } from '../use-cases/streams.js';
import type { ErasureStep } from './erasure-step.js';

export interface ErasureParts {
  readonly store: EventStore;
  readonly reservations: PersonReservations;
  readonly records: PersonRecords;
  readonly inbox: Inbox;
  readonly subjectIds: SubjectIds;
  /** Every client that is registered at the time of the call: none may be missing. */
  readonly clientIds: () => Promise<readonly ClientId[]>;
}

/** What libs/identity itself knows of a person. The record goes last: what comes before needs it to find its way. */
export const erasureSteps = (parts: ErasureParts): readonly ErasureStep[] => [
  async function releasePerson(identityId) {
    const record = await parts.records.read(identityId);
    if (record) await parts.reservations.release(record.person, identityId);
  },
  async function forgetSubjects(identityId) {
    for (const clientId of await parts.clientIds()) await parts.store.delete(subjectStream(parts.subjectIds.of(clientId, identityId)));
  },
  async function closeInbox(identityId) {
    await parts.inbox.close(identityId);
  },
  async function eraseRecord(identityId) {
    await parts.records.erase(identityId);
  },
];
