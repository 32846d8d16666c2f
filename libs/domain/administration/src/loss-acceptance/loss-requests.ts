import { CommandHandler, NewerEventStored, type UnitOfWork } from '#engines/event-store';

import { type LossRequest, type LossRequestCommand, lossRequestDecider } from '../domain/loss-request.js';
import { LOSS_REQUESTS } from '../streams.js';

const STREAM = LOSS_REQUESTS.of('all');

/** The request to go on without guarded events that the store has lost: one at a time. */
export class LossRequests {
  readonly #handler;

  constructor(unitOfWork: UnitOfWork) {
    this.#handler = new CommandHandler(unitOfWork, { category: LOSS_REQUESTS.category, decider: lossRequestDecider });
  }

  /** Throws NewerEventStored. */
  async find(): Promise<LossRequest> {
    const { state, newer } = await this.#handler.load(STREAM);
    if (newer) throw new NewerEventStored(newer);
    return state;
  }

  /** Throws LossRequestRefused where another one is under way. */
  async handle(command: LossRequestCommand): Promise<void> {
    await this.#handler.handle(STREAM, () => command);
  }
}
