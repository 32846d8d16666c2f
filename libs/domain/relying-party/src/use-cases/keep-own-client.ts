import { type ClientId, type Clock, pause, type Secret } from '#kernel';
import { CommandHandler, type UnitOfWork } from '#engines/event-store';

import type { ClientState, ClientTerms } from '../domain/client.js';
import { clientSecretHash } from '../domain/client-secret.js';
import type { OwnClient } from '../domain/own-client.js';
import type { ClientLogos } from '../logo/client-logos.js';
import type { ClientNames } from '../repositories/client-names.js';
import { CLIENTS, clientStream } from '../streams.js';

export interface KeepOwnClientParts {
  readonly own: OwnClient;
  readonly names: Pick<ClientNames, 'keepOwn'>;
  readonly logos: Pick<ClientLogos, 'find' | 'handle'>;
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
   * Registers the client, or brings it back to the terms and the secret that it needs. Stores nothing when it has them. May be called by several processes at the
   * same time. When it resolves, every replica knows the client so. Answers the client that has the same name, or one that looks like it, in a store of
   * a former release: both keep it.
   */
  async execute(wanted: Omit<ClientTerms, 'name'>, secret: Secret<string>): Promise<{ readonly nameHolder?: ClientId }> {
    const { own, names, logos, recordLife, wait = pause } = this.parts;
    const terms = { ...wanted, name: own.name };
    const secretHash = clientSecretHash(secret);
    let named: Awaited<ReturnType<ClientNames['keepOwn']>> | undefined;
    let before: ClientState | undefined;
    const { state } = await this.#clients.handle(clientStream(own.clientId), async (client) => {
      before = client;
      named = await names.keepOwn(client.status === 'REGISTERED' ? client.terms.name : own.name);
      return { type: 'KeepClient', now: this.clock.now(), terms, secretHash };
    });
    await named?.freeOldName();
    const { shown, waiting } = await logos.find(own.clientId);
    if (shown || waiting) await logos.handle(own.clientId, { type: 'RemoveLogo', now: this.clock.now() });
    // The same object: nothing was appended.
    if (state !== before && recordLife > 0) await wait(recordLife);
    return { ...(named?.holder && { nameHolder: named.holder }) };
  }
}
