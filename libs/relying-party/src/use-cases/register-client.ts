import type { ClientId, Clock, Randomness, Secret } from '#kernel';
import { CommandHandler, type EventStore } from '#event-store';

import type { ClientTerms } from '../domain/client.js';
import { clientDecider } from '../domain/client.decider.js';
import { clientSecretHash, newClientSecret } from '../domain/client-secret.js';
import { checkTerms } from '../domain/client-terms.js';
import type { ClientNames } from '../repositories/client-names.js';
import { clientStream } from '../repositories/client-stream.js';

export interface Registration {
  readonly clientId: ClientId;
  /** Returned only here: the service stores its hash. */
  readonly clientSecret: Secret<string>;
}

export class RegisterClient {
  readonly #clients;

  constructor(
    store: EventStore,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly names: ClientNames,
  ) {
    this.#clients = new CommandHandler(store, clientDecider, clock);
  }

  /** Throws {@link InvalidRequest} and {@link NameTaken}. */
  async execute(terms: ClientTerms): Promise<Registration> {
    checkTerms(terms);
    const clientSecret = newClientSecret(this.randomness);
    const secretHash = clientSecretHash(clientSecret);
    const clientId = await this.names.reserve(terms.name, this.randomness.uuid<ClientId>());
    await this.#clients.handle(clientStream(clientId), () => ({ type: 'RegisterClient', now: this.clock.now(), terms, secretHash }));
    return { clientId, clientSecret };
  }
}
