import type { ClientId, Clock } from '#kernel';

import type { ListClients } from '../read-models/list-clients.js';
import type { ClientNames } from '../repositories/client-names.js';
import type { ClientRecords } from '../repositories/client-records.js';
import type { NameComparisons } from '../repositories/name-comparisons.js';

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
    private readonly comparisons: NameComparisons,
    private readonly clock: Clock,
  ) {}

  /**
   * Reads every client until that has been done under the present rules ({@link NameComparisons}), and from then on only those whose names looked like another
   * client's. Stores nothing for a client that has its reservation. Each call answers all clients whose names look like another client's. Throws ReadModelsUnavailable
   * and EventStoreUnavailable; a call that was broken off is begun anew.
   */
  async execute(list: Pick<ListClients, 'current' | 'execute'>): Promise<readonly LookAlikes[]> {
    const known = await this.comparisons.alike();
    return known ? this.#compareAgain(known) : this.#compareAll(list);
  }

  async #compareAgain(known: readonly ClientId[]): Promise<readonly LookAlikes[]> {
    const found: LookAlikes[] = [];
    for (const clientId of known) {
      const name = await this.#nameOf(clientId);
      const looksLike = name === undefined ? undefined : (await this.#complete(clientId, name)).looksLike;
      if (looksLike !== undefined) found.push({ clientId, looksLike });
    }
    return found;
  }

  async #compareAll(list: Pick<ListClients, 'current' | 'execute'>): Promise<readonly LookAlikes[]> {
    const begun = this.clock.now();
    const found: LookAlikes[] = [];
    let missing = 0;
    let after: ClientId | undefined;
    await list.current();
    do {
      const { entries, next } = await list.execute({ limit: PAGE, after });
      for (const { clientId, name } of entries) {
        const { looksLike, reserved } = await this.#complete(clientId, name);
        if (looksLike !== undefined) found.push({ clientId, looksLike });
        if (reserved) missing += 1;
      }
      after = next;
    } while (after !== undefined);
    await this.comparisons.note({ reserved: missing, alike: found.map(({ clientId }) => clientId) }, begun);
    return found;
  }

  #complete(clientId: ClientId, name: string) {
    return this.names.complete(name, clientId, () => this.#nameOf(clientId));
  }

  async #nameOf(clientId: ClientId): Promise<string | undefined> {
    return (await this.records.find(clientId))?.client.name;
  }
}
