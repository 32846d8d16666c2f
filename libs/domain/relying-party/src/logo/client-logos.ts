import type { ClientId } from '#kernel';
import { CommandHandler, type EventStore, NO_STREAM, type UnitOfWork } from '#engines/event-store';

import { type ClientLogo, type ClientLogoCommand, clientLogoDecider, type ClientLogoEvent } from '../domain/client-logo.js';
import { CLIENT_LOGOS } from '../streams.js';

/** The streams `clientlogo-*`: the logo of each client and the one that waits, apart from its other terms since pictures are large. Each is kept at one event. */
export class ClientLogos {
  readonly #handler;

  constructor(
    private readonly store: EventStore,
    unitOfWork: UnitOfWork,
  ) {
    this.#handler = new CommandHandler<ClientLogo, ClientLogoCommand, ClientLogoEvent>(unitOfWork, {
      category: CLIENT_LOGOS.category,
      decider: clientLogoDecider,
    });
  }

  async find(clientId: ClientId): Promise<ClientLogo> {
    return (await this.#handler.load(CLIENT_LOGOS.of(clientId))).state;
  }

  /** Runs a command. Erases the pictures that neither are shown nor wait, also those that a process has left which died before it erased them. */
  async handle(clientId: ClientId, command: ClientLogoCommand): Promise<ClientLogo> {
    const stream = CLIENT_LOGOS.of(clientId);
    const { state, revision } = await this.#handler.handle(stream, () => command);
    if (revision !== NO_STREAM && revision > 0) await CLIENT_LOGOS.truncateBefore(this.store, stream, revision);
    return state;
  }
}
