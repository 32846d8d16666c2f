import type { Transaction } from 'kysely';
import type { DeviceId, IdentityId, SubjectId } from '#kernel';
import { categoryOf, idOf, type RecordedEvent } from '#engines/event-store';
import { insertNew, type Projection } from '#engines/read-model';

import type { IdentityEvent } from '../domain/identity.events.js';
import { endOfRevocation } from '../repositories/certificates.js';
import { type CertificateEvent, CERTIFICATES, IDENTITIES, type SubjectEvent, SUBJECTS } from '../streams.js';

/** Times in epoch milliseconds. */
export interface IdentityTables {
  identities_v3: {
    identity_id: IdentityId;
    /** Orders the persons by their registration. */
    place: number;
    /** Of the stream's last event applied. */
    revision: number;
    /** 1 from IdentityErased on. The row stays, so that a cursor stays good. */
    erased: number;
  };
  devices_v3: {
    device_id: DeviceId;
    identity_id: IdentityId;
    /** Orders the devices by their enrolment. */
    place: number;
  };
  /** The subjectIds that clients may know. */
  subjects_v3: { subject_id: SubjectId; identity_id: IdentityId };
  /** One row for each erasure, for ever. */
  erasures_v3: {
    identity_id: IdentityId;
    /** Orders the erasures by their start. */
    place: number;
    erased_at: number;
    stage: ErasureStage;
  };
  /** The certificates that have not ended, of the living too. */
  certificates_v3: { serial: string; ends_at: number };
}

/** The part of an erasure that is still to be done: everything, the sessions, nothing. */
export const STAGES = { open: 0, sessions: 1, done: 2 } as const;
type ErasureStage = (typeof STAGES)[keyof typeof STAGES];

type Tables = Transaction<IdentityTables>;

/** The ids of persons, of their devices and of their accounts at clients; erasures. Personal data is read from the person's own stream. */
export const identitiesProjection: Projection<IdentityTables, IdentityEvent | CertificateEvent | SubjectEvent> = {
  name: 'identities',
  version: 3,
  tables: ['identities_v3', 'devices_v3', 'subjects_v3', 'erasures_v3', 'certificates_v3'],
  categories: [IDENTITIES.category, CERTIFICATES.category, SUBJECTS.category],
  progress: { category: IDENTITIES.category, table: 'identities_v3', id: 'identity_id' },

  async create({ schema }) {
    await schema
      .createTable('identities_v3')
      .addColumn('identity_id', 'text', (column) => column.primaryKey())
      .addColumn('place', 'bigint', (column) => column.notNull())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .addColumn('erased', 'integer', (column) => column.notNull())
      .execute();
    await schema.createIndex('identities_v3_list').on('identities_v3').columns(['erased', 'place']).unique().execute();
    await schema
      .createTable('devices_v3')
      .addColumn('device_id', 'text', (column) => column.primaryKey())
      .addColumn('identity_id', 'text', (column) => column.notNull())
      .addColumn('place', 'bigint', (column) => column.notNull())
      .execute();
    await schema.createIndex('devices_v3_list').on('devices_v3').columns(['identity_id', 'place']).unique().execute();
    await schema
      .createTable('subjects_v3')
      .addColumn('subject_id', 'text', (column) => column.primaryKey())
      .addColumn('identity_id', 'text', (column) => column.notNull())
      .execute();
    await schema.createIndex('subjects_v3_person').on('subjects_v3').column('identity_id').execute();
    await schema
      .createTable('erasures_v3')
      .addColumn('identity_id', 'text', (column) => column.primaryKey())
      .addColumn('place', 'bigint', (column) => column.notNull().unique())
      .addColumn('erased_at', 'bigint', (column) => column.notNull())
      .addColumn('stage', 'integer', (column) => column.notNull())
      .execute();
    await schema.createIndex('erasures_v3_stage').on('erasures_v3').columns(['stage', 'place']).execute();
    await schema
      .createTable('certificates_v3')
      .addColumn('serial', 'text', (column) => column.primaryKey())
      .addColumn('ends_at', 'bigint', (column) => column.notNull())
      .execute();
    await schema.createIndex('certificates_v3_end').on('certificates_v3').columns(['ends_at', 'serial']).execute();
  },

  async apply(transaction, event) {
    switch (event.type) {
      case 'SubjectLinked':
        return insertNew(transaction, 'subjects_v3', { subject_id: idOf<SubjectId>(event.stream), identity_id: event.data.identityId });
      case 'SubjectReleased':
        return void (await transaction.deleteFrom('subjects_v3').where('subject_id', '=', idOf<SubjectId>(event.stream)).execute());
      case 'CertificateIssued':
        return insertNew(transaction, 'certificates_v3', { serial: idOf(event.stream), ends_at: event.data.notAfter });
      case 'CertificateRevoked':
        return insertNew(transaction, 'certificates_v3', { serial: idOf(event.stream), ends_at: endOfRevocation(event.data) });
      default:
        if (categoryOf(event.stream) === IDENTITIES.category) await applyToIdentity(transaction, event as RecordedEvent<IdentityEvent>);
    }
  },
};

const applyToIdentity = async (transaction: Tables, event: RecordedEvent<IdentityEvent>): Promise<void> => {
  const identityId = idOf<IdentityId>(event.stream);
  const { revision, position } = event;
  const place = Number(position);
  if (event.type === 'IdentityRegistered') return insertNew(transaction, 'identities_v3', { identity_id: identityId, place, revision, erased: 0 });
  if (event.type === 'DeviceAdded') await insertNew(transaction, 'devices_v3', { device_id: event.data.deviceId, identity_id: identityId, place });
  if (event.type === 'IdentityErased')
    await insertNew(transaction, 'erasures_v3', { identity_id: identityId, place, erased_at: event.data.at, stage: STAGES.open });
  if (event.type === 'ErasureCompleted') await reach(transaction, identityId, STAGES.sessions);
  if (event.type === 'SessionsErased') await reach(transaction, identityId, STAGES.done);
  await transaction
    .updateTable('identities_v3')
    .set({ revision, ...(event.type === 'IdentityErased' && { erased: 1 }) })
    .where('identity_id', '=', identityId)
    .where('revision', '<', revision)
    .execute();
};

const reach = async (transaction: Tables, identityId: IdentityId, stage: ErasureStage): Promise<void> => {
  await transaction.updateTable('erasures_v3').set({ stage }).where('identity_id', '=', identityId).where('stage', '<', stage).execute();
};
