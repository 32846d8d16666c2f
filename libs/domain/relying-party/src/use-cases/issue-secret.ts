import { type ClientId, type Clock, pause, type Randomness, type Secret } from '#kernel';

import { clientSecretHash, newClientSecret } from '../domain/client-secret.js';
import type { Clients } from '../repositories/clients.js';

export class IssueSecret {
  constructor(
    private readonly clients: Clients,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    /** How long a replica uses a client's record, in milliseconds ({@link ClientRecords}). */
    private readonly recordLife = 0,
    private readonly wait: (milliseconds: number) => Promise<unknown> = pause,
  ) {}

  /** Issues a new secret. When it resolves, no replica accepts the previous secret any more. Throws {@link ClientNotFound} and {@link OwnClientRefused}. */
  async execute(clientId: ClientId): Promise<Secret<string>> {
    const secret = newClientSecret(this.randomness);
    const secretHash = clientSecretHash(secret);
    await this.clients.handle(clientId, () => ({ type: 'IssueSecret', now: this.clock.now(), secretHash }));
    if (this.recordLife > 0) await this.wait(this.recordLife);
    return secret;
  }
}
