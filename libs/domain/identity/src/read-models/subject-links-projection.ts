import { idOf } from '#engines/event-store';
import type { ClientId, IdentityId, SubjectId } from '#kernel';
import { insertNew, type Projection } from '#engines/read-model';

import { type SubjectEvent, SUBJECTS } from '../streams.js';

export interface SubjectLinkTables {
  /** The subjectIds that clients may know, those of former subject keys too. */
  subject_links_v1: {
    subject_id: SubjectId;
    client_id: ClientId;
    identity_id: IdentityId;
    /** Orders the subjectIds by their link. */
    place: number;
  };
}

/** SubjectIds by client, for the migration of accounts. Followed only while there is one. */
export const subjectLinksProjection: Projection<SubjectLinkTables, SubjectEvent> = {
  name: 'subject-links',
  version: 1,
  tables: ['subject_links_v1'],
  categories: [SUBJECTS.category],

  async create({ schema }) {
    await schema
      .createTable('subject_links_v1')
      .addColumn('subject_id', 'text', (column) => column.primaryKey())
      .addColumn('client_id', 'text', (column) => column.notNull())
      .addColumn('identity_id', 'text', (column) => column.notNull())
      .addColumn('place', 'bigint', (column) => column.notNull())
      .execute();
    await schema.createIndex('subject_links_v1_list').on('subject_links_v1').columns(['client_id', 'place']).unique().execute();
  },

  async apply(transaction, event) {
    const subject_id = idOf<SubjectId>(event.stream);
    if (event.type === 'SubjectReleased') await transaction.deleteFrom('subject_links_v1').where('subject_id', '=', subject_id).execute();
    if (event.type !== 'SubjectLinked') return;
    const { clientId: client_id, identityId: identity_id } = event.data;
    await insertNew(transaction, 'subject_links_v1', { subject_id, client_id, identity_id, place: Number(event.position) });
  },
};
