import type { ClientId, Clock, Randomness, Secret } from '#kernel';

import type { ClientState, ClientTerms } from '../domain/client.js';
import { NameTaken } from '../domain/client.errors.js';
import { clientSecretHash, newClientSecret } from '../domain/client-secret.js';
import { checkTerms } from '../domain/client-terms.js';
import type { ClientNames } from '../repositories/client-names.js';
import type { Clients } from '../repositories/clients.js';

export interface Registration {
  readonly clientId: ClientId;
  /** Returned only here: the service stores its hash. */
  readonly clientSecret: Secret<string>;
}

export class RegisterClient {
  constructor(
    private readonly clients: Clients,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly names: ClientNames,
  ) {}

  /** `given`: by default a random id and a random secret. Throws {@link InvalidRequest} and {@link NameTaken}. */
  async execute(terms: ClientTerms, given: Partial<Registration> = {}): Promise<Registration> {
    checkTerms(terms);
    const { clientSecret = newClientSecret(this.randomness) } = given;
    const secretHash = clientSecretHash(clientSecret);
    const { clientId, undo } = await this.names.reserve(terms.name, given.clientId ?? this.randomness.uuid<ClientId>());
    try {
      await this.clients.handle(clientId, () => ({ type: 'RegisterClient', now: this.clock.now(), terms, secretHash }));
    } catch (error) {
      if (error instanceof NameTaken) await undo(nameIn((await this.clients.load(clientId)).state));
      throw error;
    }
    return { clientId, clientSecret };
  }
}

const nameIn = (client: ClientState): string | undefined => (client.status === 'NONE' ? undefined : client.terms.name);
