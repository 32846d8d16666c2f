import type { ClientId } from '#kernel';
import { CommandHandler, type Loaded, NewerEventStored, type UnitOfWork } from '#engines/event-store';

import type { ClientCommand } from '../domain/client.commands.js';
import type { ClientEvent } from '../domain/client.events.js';
import { ClientNotFound } from '../domain/client.errors.js';
import type { ClientState } from '../domain/client.js';
import type { OwnClient } from '../domain/own-client.js';
import { CLIENTS, clientStream } from '../streams.js';

type LoadedClient = Loaded<ClientState, ClientEvent>;

/** The streams `client-*`, for all use cases that change a client on a request. {@link KeepClient} alone changes the service's own one, and registers a client under a known id. */
export class Clients {
  readonly #handler;

  constructor(
    unitOfWork: UnitOfWork,
    private readonly own: OwnClient,
  ) {
    this.#handler = new CommandHandler(unitOfWork, CLIENTS);
  }

  load(clientId: ClientId): Promise<LoadedClient> {
    return this.#handler.load(clientStream(clientId));
  }

  /** As {@link CommandHandler.handle}. Throws {@link OwnClientRefused} too. */
  async handle(clientId: ClientId, command: (state: ClientState) => ClientCommand | Promise<ClientCommand>): Promise<LoadedClient> {
    this.assertChangeable(clientId);
    return this.#handler.handle(clientStream(clientId), command);
  }

  /** Throws {@link OwnClientRefused} for the service's own client, {@link ClientNotFound} and {@link NewerEventStored}. */
  async assertRegistered(clientId: ClientId): Promise<void> {
    this.assertChangeable(clientId);
    const { state, newer } = await this.load(clientId);
    if (newer) throw new NewerEventStored(newer);
    if (state.status !== 'REGISTERED') throw new ClientNotFound('no such client');
  }

  /** Throws {@link OwnClientRefused} for the service's own client. */
  assertChangeable(clientId: ClientId): void {
    this.own.assertIsNot(clientId);
  }
}
