import type { IdentityId } from '#kernel';
import { idOf } from '#event-store';
import type { Projection } from '#read-model';

import type { IdentityEvent } from '../domain/identity.events.js';

export interface IdentityTables {
  identities_v1: {
    identity_id: IdentityId;
    /** Orders the persons by their registration. */
    place: number;
    /** Of the stream's last event applied. */
    revision: number;
    /** 1 from IdentityErased on. The row stays, so that a cursor stays good. */
    erased: number;
  };
}

/** The ids of persons. Personal data is read from the person's own stream. */
export const identitiesProjection: Projection<IdentityTables, IdentityEvent> = {
  name: 'identities',
  version: 1,
  tables: ['identities_v1'],
  categories: ['identity'],
  progress: { category: 'identity', table: 'identities_v1', id: 'identity_id' },

  async create({ schema }) {
    await schema
      .createTable('identities_v1')
      .addColumn('identity_id', 'text', (column) => column.primaryKey())
      .addColumn('place', 'bigint', (column) => column.notNull())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .addColumn('erased', 'integer', (column) => column.notNull())
      .execute();
    await schema.createIndex('identities_v1_list').on('identities_v1').columns(['erased', 'place']).unique().execute();
  },

  async apply(transaction, { type, stream, revision, position }) {
    const identityId = idOf<IdentityId>(stream);
    if (type === 'IdentityRegistered') {
      await transaction
        .insertInto('identities_v1')
        .values({ identity_id: identityId, place: Number(position), revision, erased: 0 })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return;
    }
    await transaction
      .updateTable('identities_v1')
      .set({ revision, ...(type === 'IdentityErased' && { erased: 1 }) })
      .where('identity_id', '=', identityId)
      .where('revision', '<', revision)
      .execute();
  },
};
