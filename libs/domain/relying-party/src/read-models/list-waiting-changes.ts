import type { NotNull } from 'kysely';

import type { ClientId, Page, PageRequest } from '#kernel';
import { keysetPage, type ReadModel } from '#engines/read-model';

import type { WaitingChange } from '../domain/client.js';
import { type ClientTables, termsOf } from './clients-projection.js';

interface ListedChange extends WaitingChange {
  readonly clientId: ClientId;
  /** The client's present name. */
  readonly clientName: string;
}

/** The changes of all clients that wait for an operator's consent, in the order of the clients' registration. */
export class ListWaitingChanges {
  constructor(private readonly model: ReadModel<ClientTables>) {}

  /** Throws {@link InvalidRequest} for a cursor that was never on the list of clients, and {@link ReadModelsUnavailable}. */
  async execute(request: PageRequest<ClientId>): Promise<Page<ListedChange, ClientId>> {
    return this.model.read((database) =>
      keysetPage(request, {
        placeOf: (clientId) => database.selectFrom('clients_v3').select('place').where('client_id', '=', clientId).executeTakeFirst(),
        rows: (after, limit) =>
          database
            .selectFrom('clients_v3')
            .select(['client_id', 'terms', 'waiting'])
            .where('place', '>', after)
            .where('terms', 'is not', null)
            .where('waiting', 'is not', null)
            .orderBy('place')
            .limit(limit)
            .$narrowType<{ terms: NotNull; waiting: NotNull }>()
            .execute(),
        idOf: (row) => row.client_id,
        entryOf: (row) => ({ ...(JSON.parse(row.waiting) as WaitingChange), clientId: row.client_id, clientName: termsOf(row.terms).name }),
      }),
    );
  }
}
