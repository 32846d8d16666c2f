import type { Secret } from '#kernel';

import type { ClientTerms } from '../domain/client.js';
import type { OwnClient } from '../domain/own-client.js';
import type { KeepClient } from './keep-client.js';

/** The service's own client, {@link OwnClient}. Its id and its secret are derived from a key, so that every replica has them and no file holds them. */
export class KeepOwnClient {
  constructor(
    private readonly keepClient: KeepClient,
    private readonly own: OwnClient,
  ) {}

  /** As {@link KeepClient} has it. */
  async execute(wanted: Omit<ClientTerms, 'name'>, secret: Secret<string>): Promise<void> {
    await this.keepClient.execute(this.own.clientId, { ...wanted, name: this.own.name }, secret);
  }
}
