import type { IdentityId, SubjectId } from '#kernel';
import type { ReadModel } from '#engines/read-model';

import type { IdentityTables } from './identities-projection.js';

/** The subjectIds of the person that clients may know. */
export const subjectIdsIn = async (model: ReadModel<IdentityTables>, identityId: IdentityId): Promise<readonly SubjectId[]> => {
  const rows = await model.read((database) =>
    database.selectFrom('subjects_v3').select('subject_id').where('identity_id', '=', identityId).execute(),
  );
  return rows.map(({ subject_id }) => subject_id);
};

/** Whether the person is in the list. */
export const isListed = async (model: ReadModel<IdentityTables>, identityId: IdentityId): Promise<boolean> => {
  const row = await model.read((database) =>
    database.selectFrom('identities_v3').select('erased').where('identity_id', '=', identityId).executeTakeFirst(),
  );
  return row?.erased === 0;
};
