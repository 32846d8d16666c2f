import { type ClientId, hmac, type IdentityId, type RingKey, type SubjectId, type SubjectKeys, uuidOf } from '#kernel';

/** The subjectIds of one person at one client, before and after a rotation of the subject key. */
export interface SubjectPair {
  readonly former: SubjectId;
  readonly next: SubjectId;
}

/**
 * Derives subjectIds: one for each person, client and environment. Two subjectIds of one person cannot be linked without the
 * subject key. UUIDv8 (RFC 9562 §5.8) of HMAC-SHA-256(subject key, environment ‖ client_id ‖ identity id).
 */
export class SubjectIds {
  constructor(
    private readonly keys: SubjectKeys,
    private readonly environment: string,
  ) {}

  /** The one that the client receives now. */
  of(clientId: ClientId, identityId: IdentityId): SubjectId {
    return this.#under(this.keys.current(), clientId, identityId);
  }

  /** Those that the client may use now: one, and two while accounts migrate. */
  accepted(clientId: ClientId, identityId: IdentityId): readonly SubjectId[] {
    return this.keys.accepted().map((key) => this.#under(key, clientId, identityId));
  }

  /** Those that stored sessions of the client may name. */
  all(clientId: ClientId, identityId: IdentityId): readonly SubjectId[] {
    return this.keys.all().map((key) => this.#under(key, clientId, identityId));
  }

  /** When the subjectIds change, and until when the former ones are accepted. Epoch milliseconds; undefined when no accounts have to be migrated. */
  migration(): { readonly changesAt: number; readonly endsAt: number } | undefined {
    return this.keys.migration();
  }

  /** Undefined when no accounts have to be migrated. */
  pair(clientId: ClientId, identityId: IdentityId): SubjectPair | undefined {
    const migration = this.keys.migration();
    return migration && { former: this.#under(migration.former, clientId, identityId), next: this.#under(migration.next, clientId, identityId) };
  }

  #under({ key }: RingKey, clientId: ClientId, identityId: IdentityId): SubjectId {
    return uuidOf(hmac(key.reveal(), this.environment, clientId, identityId));
  }
}
