import type { ClientId } from '#kernel';

import type { ListClients } from '../read-models/list-clients.js';
import type { ClientNames } from '../repositories/client-names.js';
import type { ClientRecords } from '../repositories/client-records.js';

const PAGE = 100;

/** Two clients of former releases. Both keep their names until staff renames one. */
export interface LookAlikes {
  readonly clientId: ClientId;
  readonly looksLike: ClientId;
}

/** Makes the missing reservations of clients whose names were stored by a release that did not compare skeletons, or made them by other rules. */
export class ReserveSkeletons {
  constructor(
    private readonly records: Pick<ClientRecords, 'find'>,
    private readonly names: ClientNames,
  ) {}

  /**
   * Reads every client, and stores nothing for a client that has its reservation. Each call answers all clients whose names look like another client's.
   * Throws ReadModelsUnavailable.
   */
  async execute(list: Pick<ListClients, 'execute'>): Promise<readonly LookAlikes[]> {
    const found: LookAlikes[] = [];
    let after: ClientId | undefined;
    do {
      const { entries, next } = await list.execute({ limit: PAGE, after });
      for (const { clientId, name } of entries) {
        const looksLike = await this.names.complete(name, clientId, async () => (await this.records.find(clientId))?.client.name);
        if (looksLike !== undefined) found.push({ clientId, looksLike });
      }
      after = next;
    } while (after !== undefined);
    return found;
  }
}
