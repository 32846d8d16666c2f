import { type ClientId, type Clock, pause, type Secret } from '#kernel';
import { CommandHandler, type UnitOfWork } from '#engines/event-store';

import type { ClientState, ClientTerms } from '../domain/client.js';
import { clientSecretHash } from '../domain/client-secret.js';
import { CLIENTS, clientStream } from '../streams.js';

/** A client that the service keeps by itself, under an id that is known beforehand. */
export class KeepClient {
  readonly #clients;

  constructor(
    unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    /** How long a replica uses a client's record, in milliseconds ({@link ClientRecords}). */
    private readonly recordLife: number,
    private readonly wait: (milliseconds: number) => Promise<unknown> = pause,
  ) {
    this.#clients = new CommandHandler(unitOfWork, CLIENTS);
  }

  /**
   * Registers the client, or gives it the terms and the secret that it needs now. Stores nothing when it has them. May be called by several processes at the
   * same time. When it resolves, every replica knows the client so.
   */
  async execute(clientId: ClientId, terms: ClientTerms, secret: Secret<string>): Promise<void> {
    const secretHash = clientSecretHash(secret);
    let before: ClientState | undefined;
    const { state } = await this.#clients.handle(clientStream(clientId), (client) => {
      before = client;
      return { type: 'KeepClient', now: this.clock.now(), terms, secretHash };
    });
    // The same object: nothing was appended.
    if (state !== before && this.recordLife > 0) await this.wait(this.recordLife);
  }
}
