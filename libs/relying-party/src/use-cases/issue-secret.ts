import { setTimeout as pause } from 'node:timers/promises';

import type { ClientId, Clock, Randomness, Secret } from '#kernel';
import { CommandHandler, type EventStore } from '#event-store';

import { clientDecider } from '../domain/client.decider.js';
import { clientSecretHash, newClientSecret } from '../domain/client-secret.js';
import { clientStream } from '../repositories/client-stream.js';

export class IssueSecret {
  readonly #clients;

  constructor(
    store: EventStore,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    /** How long a replica uses a client's record, in milliseconds ({@link ClientRecords}). */
    private readonly recordLife = 0,
    private readonly wait: (milliseconds: number) => Promise<unknown> = pause,
  ) {
    this.#clients = new CommandHandler(store, clientDecider, clock);
  }

  /** Issues a new secret. When it resolves, no replica accepts the previous secret any more. Throws {@link ClientNotFound}. */
  async execute(clientId: ClientId): Promise<Secret<string>> {
    const secret = newClientSecret(this.randomness);
    const secretHash = clientSecretHash(secret);
    await this.#clients.handle(clientStream(clientId), () => ({ type: 'IssueSecret', now: this.clock.now(), secretHash }));
    if (this.recordLife > 0) await this.wait(this.recordLife);
    return secret;
  }
}
