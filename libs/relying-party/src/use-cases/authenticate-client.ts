import { type ClientId, constantTimeEqual, parseId, type Secret, sha256 } from '#kernel';

import type { Client } from '../domain/client.js';
import type { ClientRecords } from './client-records.js';

/** Nobody's: an unknown client costs the same read and the same comparison as a known one. */
const NOBODY = '00000000-0000-0000-0000-000000000000' as ClientId;
const NO_HASH = Buffer.alloc(32);

/** Interface specification, "Client to service", 6 and 7: the causes of a refusal are not told apart. */
export class AuthenticateClient {
  constructor(private readonly records: ClientRecords) {}

  /** The client whose secret this is, or undefined. Both as they stood in the request. */
  async execute(clientId: string, secret: Secret<string>): Promise<Client | undefined> {
    const record = await this.records.find(parseId<ClientId>(clientId) ?? NOBODY);
    const right = constantTimeEqual(sha256(secret.reveal()), record?.secretHash ?? NO_HASH);
    return right ? record?.client : undefined;
  }
}
