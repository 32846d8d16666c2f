import type { ClientId } from '#kernel';

import type { Client } from '../domain/client.js';
import type { ClientRecords } from '../repositories/client-records.js';

export class FindClient {
  constructor(private readonly records: ClientRecords) {}

  /** Undefined also for a deleted client. */
  async execute(clientId: ClientId): Promise<Client | undefined> {
    return (await this.records.find(clientId))?.client;
  }

  /** The name, also of a deleted client: for a session that goes on. */
  async nameOf(clientId: ClientId): Promise<string | undefined> {
    return (await this.records.findEver(clientId))?.client.name;
  }
}
