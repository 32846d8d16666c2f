import { type ClientId, constantTimeEqual, parseId, type Secret, sha256 } from '#kernel';

import type { Client } from '../domain/client.js';
import type { ClientRecords } from '../repositories/client-records.js';

/** No client has this id. Looking it up makes an unknown client cost the same read and comparison as a known one. */
const UNUSED_ID = '00000000-0000-0000-0000-000000000000' as ClientId;
const NO_HASH = Buffer.alloc(32);

/** Authenticates a client. The caller does not learn why a client is refused (specification/conventions.md#client-authentication). */
export class AuthenticateClient {
  constructor(private readonly records: ClientRecords) {}

  /** The client with this id and secret, as the request gave them. Undefined when they do not match, or the client is disabled. */
  async execute(clientId: string, secret: Secret<string>): Promise<Client | undefined> {
    const record = await this.records.find(parseId<ClientId>(clientId) ?? UNUSED_ID);
    const right = constantTimeEqual(sha256(secret.reveal()), record?.secretHash ?? NO_HASH);
    return right && record?.client.enabled === true ? record.client : undefined;
  }
}
