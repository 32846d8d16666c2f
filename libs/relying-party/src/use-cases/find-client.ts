import type { ClientId } from '#kernel';

import type { Client } from '../domain/client.js';
import type { ClientRecords } from '../repositories/client-records.js';

export class FindClient {
  constructor(private readonly records: ClientRecords) {}

  async execute(clientId: ClientId): Promise<Client | undefined> {
    return (await this.records.find(clientId))?.client;
  }
}
