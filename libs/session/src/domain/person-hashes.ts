import type { SubjectIds } from '#identity';
import { type ClientId, hmac, type IdentityId, type Secret, type SubjectId } from '#kernel';

declare const PERSON_HASH: unique symbol;

/** 128 bits, base64url. */
export type PersonHash = string & { readonly [PERSON_HASH]: true };

const BYTES = 16;

/** Names a person in a table of sessions. Without the key, the table does not tell whose sessions they are. */
export class PersonHashes {
  constructor(
    /** Does not rotate: rows are found by the hash for as long as sessions are stored. */
    private readonly key: Secret<Buffer>,
    private readonly subjectIds: Pick<SubjectIds, 'of'>,
  ) {}

  ofIdentity(identityId: IdentityId): PersonHash {
    return this.#hash('session-of-identity', identityId);
  }

  /** By the name that a client has for the person. */
  ofSubject(subjectId: SubjectId): PersonHash {
    return this.#hash('session-of-subject', subjectId);
  }

  /** The same as of the subjectId that this client knows the person by. */
  ofClientsSubject(clientId: ClientId, identityId: IdentityId): PersonHash {
    return this.ofSubject(this.subjectIds.of(clientId, identityId));
  }

  #hash(purpose: string, id: string): PersonHash {
    return hmac(this.key.reveal(), purpose, id).subarray(0, BYTES).toString('base64url') as PersonHash;
  }
}
