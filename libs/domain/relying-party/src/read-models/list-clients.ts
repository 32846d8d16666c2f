import type { ClientId, Page, PageRequest } from '#kernel';
import type { NotNull } from 'kysely';
import { keysetPage, type ReadModel } from '#engines/read-model';

import type { Client } from '../domain/client.js';
import type { OwnClient } from '../domain/own-client.js';
import { type ClientTables, termsOf } from './clients-projection.js';

/** All clients but the service's own, in the order of their registration. A client that another process has registered appears with a short delay. */
export class ListClients {
  constructor(
    private readonly model: ReadModel<ClientTables>,
    private readonly own: OwnClient,
  ) {}

  /** Throws {@link InvalidRequest} for a cursor that was never on the list, and {@link ReadModelsUnavailable}. */
  async execute(request: PageRequest<ClientId>): Promise<Page<Client, ClientId>> {
    return this.model.read((database) =>
      keysetPage(request, {
        placeOf: (clientId) => database.selectFrom('clients_v3').select('place').where('client_id', '=', clientId).executeTakeFirst(),
        rows: (after, limit) =>
          database
            .selectFrom('clients_v3')
            .select(['client_id', 'terms'])
            .where('place', '>', after)
            .where('terms', 'is not', null)
            .where('client_id', '!=', this.own.clientId)
            .orderBy('place')
            .limit(limit)
            .$narrowType<{ terms: NotNull }>()
            .execute(),
        idOf: (row) => row.client_id,
        entryOf: (row) => ({ clientId: row.client_id, ...termsOf(row.terms) }),
      }),
    );
  }
}
