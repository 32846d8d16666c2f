import { type Clock, pause, type Secret } from '#kernel';
import { CommandHandler, type UnitOfWork } from '#engines/event-store';

import type { ClientState, ClientTerms } from '../domain/client.js';
import { clientSecretHash } from '../domain/client-secret.js';
import type { OwnClient } from '../domain/own-client.js';
import { CLIENTS, clientStream } from '../streams.js';

export interface KeepOwnClientParts {
  readonly own: OwnClient;
  /** How long a replica uses a client's record, in milliseconds ({@link ClientRecords}). */
  readonly recordLife: number;
  readonly wait?: (milliseconds: number) => Promise<unknown>;
}

/** The service's own client, {@link OwnClient}. Its id and its secret are derived from a key, so that every replica has them and no file holds them. */
export class KeepOwnClient {
  readonly #clients;

  constructor(
    unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly parts: KeepOwnClientParts,
  ) {
    this.#clients = new CommandHandler(unitOfWork, CLIENTS);
  }

  /**
   * Registers the client, or gives it the terms and the secret that it needs now. Stores nothing when it has them. May be called by several processes at the
   * same time. When it resolves, every replica knows the client so.
   */
  async execute(wanted: Omit<ClientTerms, 'name'>, secret: Secret<string>): Promise<void> {
    const { own, recordLife, wait = pause } = this.parts;
    const terms = { ...wanted, name: own.name };
    const secretHash = clientSecretHash(secret);
    let before: ClientState | undefined;
    const { state } = await this.#clients.handle(clientStream(own.clientId), (client) => {
      before = client;
      return { type: 'KeepClient', now: this.clock.now(), terms, secretHash };
    });
    // The same object: nothing was appended.
    if (state !== before && recordLife > 0) await wait(recordLife);
  }
}
