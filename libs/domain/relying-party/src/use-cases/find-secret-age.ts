import type { ClientId } from '#kernel';
import type { EventStore } from '#engines/event-store';

import type { ClientEvent } from '../domain/client.events.js';
import { clientStream } from '../streams.js';

export class FindSecretAge {
  constructor(private readonly store: EventStore) {}

  /** When the secret in use was issued, epoch milliseconds. Undefined for an unknown and for a deleted client. */
  async execute(clientId: ClientId): Promise<number | undefined> {
    const events = await this.store.read<ClientEvent>(clientStream(clientId));
    const last = events.findLast(({ type }) => type === 'SecretIssued' || type === 'ClientRegistered' || type === 'ClientDeleted');
    return last?.type === 'ClientDeleted' ? undefined : last?.data.at;
  }
}
