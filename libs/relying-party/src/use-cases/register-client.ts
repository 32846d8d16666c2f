import type { ClientId, Clock, Randomness, Secret } from '#kernel';
import { CommandHandler, type EventStore } from '#event-store';

import type { ClientState, ClientTerms } from '../domain/client.js';
import { clientDecider } from '../domain/client.decider.js';
import { NameTaken } from '../domain/client.errors.js';
import { clientSecretHash, newClientSecret } from '../domain/client-secret.js';
import { checkNewName, checkTerms } from '../domain/client-terms.js';
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
    checkNewName(terms.name);
    const clientSecret = newClientSecret(this.randomness);
    const secretHash = clientSecretHash(clientSecret);
    const { clientId, undo } = await this.names.reserve(terms.name, this.randomness.uuid<ClientId>());
    const stream = clientStream(clientId);
    try {
      await this.#clients.handle(stream, () => ({ type: 'RegisterClient', now: this.clock.now(), terms, secretHash }));
    } catch (error) {
      if (error instanceof NameTaken) await undo(nameIn((await this.#clients.load(stream)).state));
      throw error;
    }
    return { clientId, clientSecret };
  }
}

const nameIn = (client: ClientState): string | undefined => (client.status === 'NONE' ? undefined : client.terms.name);
