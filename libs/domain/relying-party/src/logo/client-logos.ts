import type { ClientId } from '#kernel';
import { CommandHandler, type EventStore, NO_STREAM, type UnitOfWork } from '#engines/event-store';

import { type ClientLogo, type ClientLogoCommand, clientLogoDecider, type ClientLogoEvent } from '../domain/client-logo.js';
import { CLIENT_LOGOS } from '../streams.js';

/** The streams `clientlogo-*`: one picture of each client, apart from its other terms since pictures are large. */
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

  /** Runs a command. Erases the pictures that are not shown any more. */
  async handle(clientId: ClientId, command: ClientLogoCommand): Promise<ClientLogo> {
    const stream = CLIENT_LOGOS.of(clientId);
    const { state, revision } = await this.#handler.handle(stream, () => command);
    // The newest event holds the one picture that is left, or says that there is none.
    if (!state.waiting && revision !== NO_STREAM && revision > 0) await CLIENT_LOGOS.truncateBefore(this.store, stream, revision);
    return state;
  }
}
