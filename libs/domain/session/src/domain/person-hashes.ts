import type { SubjectIds } from '#domain/identity';
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
    private readonly subjectIds: Pick<SubjectIds, 'all'>,
  ) {}

  ofIdentity(identityId: IdentityId): PersonHash {
    return this.#hash('session-of-identity', identityId);
  }

  /** By the name that a client has for the person. */
  ofSubject(subjectId: SubjectId): PersonHash {
    return this.#hash('session-of-subject', subjectId);
  }

  /** The same as of each subjectId that this client knows, or knew, the person by. */
  ofClientsSubjects(clientId: ClientId, identityId: IdentityId): readonly PersonHash[] {
    return this.subjectIds.all(clientId, identityId).map((subjectId) => this.ofSubject(subjectId));
  }

  #hash(purpose: string, id: string): PersonHash {
    return hmac(this.key.reveal(), purpose, id).subarray(0, BYTES).toString('base64url') as PersonHash;
  }
}
