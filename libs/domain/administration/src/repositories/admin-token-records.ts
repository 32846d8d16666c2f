import { CommandHandler, NewerEventStored, type UnitOfWork } from '#engines/event-store';

import type { AdminToken, AdminTokenCommand } from '../domain/admin-token.js';
import { TOKENS, TOKENS_STREAM as STREAM } from './stream-types.js';

/** The named tokens. */
export class AdminTokenRecords {
  readonly #handler;

  constructor(unitOfWork: UnitOfWork) {
    this.#handler = new CommandHandler(unitOfWork, TOKENS);
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
