import { categoryOf, CommandHandler, NewerEventStored, streamName, type UnitOfWork } from '#engines/event-store';

import { type AdminToken, adminTokenDecider, type AdminTokenCommand } from '../domain/admin-token.js';

const STREAM = streamName('admintokens', 'all');

/** The named tokens, in one stream: there are few, and each look-up wants all of them. */
export class AdminTokenRecords {
  readonly #handler;

  constructor(unitOfWork: UnitOfWork) {
    this.#handler = new CommandHandler(unitOfWork, { category: categoryOf(STREAM), decider: adminTokenDecider });
  }

  /** Throws NewerEventStored: an event of a newer release may have withdrawn the rights of a token. */
  async all(): Promise<readonly AdminToken[]> {
    const { state, newer } = await this.#handler.load(STREAM);
    if (newer) throw new NewerEventStored(newer);
    return state.tokens;
  }

  /** Throws the refusals of the decider. */
  async handle(command: AdminTokenCommand): Promise<void> {
    await this.#handler.handle(STREAM, () => command);
  }
}
