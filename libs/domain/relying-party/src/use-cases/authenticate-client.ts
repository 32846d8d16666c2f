import { type ClientId, constantTimeEqual, parseId } from '#kernel';

import type { Client } from '../domain/client.js';
import type { ClientRecord, ClientRecords } from '../repositories/client-records.js';

/** No client has this id. Looking it up makes an unknown client cost the same read and comparison as a known one. */
const UNUSED_ID = '00000000-0000-0000-0000-000000000000' as ClientId;
const NO_HASH = Buffer.alloc(32);

/** Authenticates a client. The caller does not learn why a client is refused (specification/conventions.md#client-authentication). */
export class AuthenticateClient {
  constructor(private readonly records: ClientRecords) {}

  /** The client with this id and the secret of this SHA-256, as the request gave them. Undefined when they do not match, or the client is disabled. */
  async execute(clientId: string, secretHash: Buffer): Promise<Client | undefined> {
    return judged(await this.records.find(parseId<ClientId>(clientId) ?? UNUSED_ID), secretHash);
  }

  /** The same without a promise, of a client that this process has read. Undefined where {@link execute} has to tell: it also refuses. */
  recent(clientId: ClientId, secretHash: Buffer): Client | undefined {
    const record = this.records.recent(clientId);
    return record && judged(record, secretHash);
  }
}

const judged = (record: ClientRecord | undefined, secretHash: Buffer): Client | undefined => {
  const right = constantTimeEqual(secretHash, record?.secretHash ?? NO_HASH);
  return right && record?.client.enabled === true ? record.client : undefined;
};
