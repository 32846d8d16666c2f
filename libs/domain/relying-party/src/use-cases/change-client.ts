import type { ClientId, Clock } from '#kernel';

import type { Client, ClientTerms } from '../domain/client.js';
import { ClientNotFound } from '../domain/client.errors.js';
import { checkTerms } from '../domain/client-terms.js';
import type { ClientNames } from '../repositories/client-names.js';
import type { Clients } from '../repositories/clients.js';

export class ChangeClient {
  constructor(
    private readonly clients: Clients,
    private readonly clock: Clock,
    private readonly names: ClientNames,
  ) {}

  /**
   * Changes the given terms and keeps the others. Throws {@link ClientNotFound}, {@link OwnClientRefused},
   * {@link InvalidRequest} and {@link NameTaken}. After a crash during a renaming the client holds both names until it is renamed again.
   */
  async execute(clientId: ClientId, changes: Partial<ClientTerms>): Promise<Client> {
    let freeOldName = async (): Promise<void> => {};
    const { state } = await this.clients.handle(clientId, async (client) => {
      if (client.status !== 'REGISTERED') throw new ClientNotFound('no such client');
      checkTerms({ ...client.terms, ...changes });
      if (changes.name !== undefined) freeOldName = await this.names.exchange(client.terms.name, changes.name, clientId);
      return { type: 'ChangeClient', now: this.clock.now(), changes };
    });
    if (state.status !== 'REGISTERED') throw new ClientNotFound('no such client');
    await freeOldName();
    return { clientId, ...state.terms, enabled: state.enabled };
  }
}
