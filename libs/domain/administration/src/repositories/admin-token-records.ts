import { CommandHandler, NewerEventStored, type UnitOfWork } from '#engines/event-store';

import { type AdminToken, adminTokenDecider, type AdminTokenCommand } from '../domain/admin-token.js';
import { ADMIN_TOKENS } from '../streams.js';

const STREAM = ADMIN_TOKENS.of('all');

/** The named tokens. */
export class AdminTokenRecords {
  readonly #handler;

  constructor(unitOfWork: UnitOfWork) {
    this.#handler = new CommandHandler(unitOfWork, { category: ADMIN_TOKENS.category, decider: adminTokenDecider, grows: true });
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
