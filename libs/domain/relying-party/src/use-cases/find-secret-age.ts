import type { ClientId } from '#kernel';
import type { UnitOfWork } from '#engines/event-store';

import { CLIENTS, clientStream } from '../streams.js';

export class FindSecretAge {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** When the secret in use was issued, epoch milliseconds. Undefined for an unknown and for a deleted client. */
  async execute(clientId: ClientId): Promise<number | undefined> {
    const { state } = await this.unitOfWork.read(CLIENTS, clientStream(clientId));
    return state.status === 'REGISTERED' ? state.secretIssuedAt : undefined;
  }
}
