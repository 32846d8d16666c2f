import type { Kysely } from 'kysely';
import type { IdentityId, Page, PageRequest } from '#kernel';
import { keysetPage, type ReadModel } from '#engines/read-model';

import type { PersonalData } from '../domain/personal-data.js';
import type { ReadPersonalData } from '../use-cases/read-personal-data.js';
import type { IdentityTables } from './identities-projection.js';

export type ListedIdentity = PersonalData & { readonly identityId: IdentityId };

/** All persons in the order of their registration. The list holds ids only; the data is read for each page. */
export class ListIdentities {
  constructor(
    private readonly model: ReadModel<IdentityTables>,
    private readonly readPersonalData: ReadPersonalData,
  ) {}

  /** Throws {@link InvalidRequest} for a cursor that was never on the list, and {@link ReadModelsUnavailable}. */
  async execute(request: PageRequest<IdentityId>): Promise<Page<ListedIdentity, IdentityId>> {
    const { entries, ...next } = await this.#ids(request);
    const identities = await Promise.all(
      entries.map(async (identityId) => {
        const person = await this.readPersonalData.execute(identityId);
        return person ? [{ identityId, ...person }] : [];
      }),
    );
    return { entries: identities.flat(), ...next };
  }

  #ids(request: PageRequest<IdentityId>): Promise<Page<IdentityId, IdentityId>> {
    return this.model.read((database) => {
      const ids = database.selectFrom('identities_v3');
      return keysetPage(request, {
        placeOf: (identityId) => ids.select('place').where('identity_id', '=', identityId).executeTakeFirst(),
        rows: (after, limit) => idsAfter(database, after, limit).execute(),
        idOf: (row) => row.identity_id,
        entryOf: (row) => row.identity_id,
      });
    });
  }
}

/** Answered by the index alone, which holds them in this order: a page costs the same however many persons there are. */
export const idsAfter = (database: Kysely<IdentityTables>, after: number, limit: number) =>
  database.selectFrom('identities_v3').select('identity_id').where('erased', '=', 0).where('place', '>', after).orderBy('place').limit(limit);
