import { type ClientId, hmac, type IdentityId, type Secret, type SubjectId, uuidOf } from '#kernel';

/**
 * Derives subjectIds: one for each person, client and environment. Two subjectIds of one person cannot be linked without the
 * subject key. UUIDv8 (RFC 9562 §5.8) of HMAC-SHA-256(subject key, environment ‖ client_id ‖ identity id).
 */
export class SubjectIds {
  constructor(
    private readonly subjectKey: Secret<Buffer>,
    private readonly environment: string,
  ) {}

  of(clientId: ClientId, identityId: IdentityId): SubjectId {
    return uuidOf(hmac(this.subjectKey.reveal(), this.environment, clientId, identityId));
  }
}
