import type { ClientId, Clock, Secret } from '#kernel';
import { CommandHandler, type EventStore } from '#event-store';

import type { ClientTerms } from '../domain/client.js';
import { clientDecider } from '../domain/client.decider.js';
import { ClientNotFound, NameTaken } from '../domain/client.errors.js';
import { clientSecretHash } from '../domain/client-secret.js';
import type { ClientNames } from '../repositories/client-names.js';
import { clientStream } from '../repositories/client-stream.js';

/** A client of the service itself. Its id and its secret are derived from a key, so that every replica has them and no file holds them. */
export class KeepOwnClient {
  readonly #clients;

  constructor(
    store: EventStore,
    private readonly clock: Clock,
    private readonly names: ClientNames,
  ) {
    this.#clients = new CommandHandler(store, clientDecider, clock);
  }

  /** Registers the client, or gives it back the redirect URIs and the secret that it needs. Throws {@link NameTaken}, and {@link ClientNotFound} when it was deleted. */
  async execute(clientId: ClientId, terms: ClientTerms, secret: Secret<string>): Promise<void> {
    const stream = clientStream(clientId);
    const secretHash = clientSecretHash(secret);
    const { state } = await this.#clients.handle(stream, async (client) => {
      if (client.status !== 'NONE') return { type: 'ChangeClient', now: this.clock.now(), changes: { redirectUris: terms.redirectUris } };
      const reserved = await this.names.reserve(terms.name, clientId);
      if (reserved.clientId !== clientId) throw new NameTaken('another client holds the name of the portal');
      return { type: 'RegisterClient', now: this.clock.now(), terms, secretHash };
    });
    if (state.status !== 'REGISTERED') throw new ClientNotFound('the client was deleted');
    if (state.secretHash !== secretHash) await this.#clients.handle(stream, () => ({ type: 'IssueSecret', now: this.clock.now(), secretHash }));
  }
}
