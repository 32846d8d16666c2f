import { type Client, ClientNotFound, type FindClient, type OwnClient } from '#domain/relying-party';
import type { ClientId } from '#kernel';

/** The relying parties of critical changes: the person who approves one reads its name. */
export class ChangedClients {
  constructor(
    private readonly findClient: FindClient,
    private readonly own: OwnClient,
  ) {}

  /** Throws ClientNotFound and OwnClientRefused, so that no person is asked to approve what cannot be. */
  async get(clientId: ClientId): Promise<Client> {
    this.own.assertIsNot(clientId);
    const client = await this.findClient.execute(clientId);
    if (!client) throw new ClientNotFound('no such client');
    return client;
  }
}
