import type { Streams } from '#engines/event-store';
import type { ClientId } from '#kernel';

import type { Client } from '../domain/client.js';
import type { ClientRecords } from '../repositories/client-records.js';

export class FindClient {
  constructor(private readonly records: ClientRecords) {}

  /** Undefined also for a deleted client. */
  async execute(clientId: ClientId): Promise<Client | undefined> {
    return (await this.records.find(clientId))?.client;
  }

  /**
   * Within a work: whether the client is neither disabled nor deleted, once more after the request has read it. Where the store has transactions over streams, the work's commit proves it. It
   * costs no read.
   */
  async isEnabledIn(streams: Streams, clientId: ClientId): Promise<boolean> {
    return (await this.records.recallIn(streams, clientId))?.client.enabled ?? false;
  }

  /** The name, also of a deleted client: for a session that goes on. */
  async nameOf(clientId: ClientId): Promise<string | undefined> {
    return (await this.records.findEver(clientId))?.client.name;
  }
}
