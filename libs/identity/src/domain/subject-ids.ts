import { type ClientId, hmac, type IdentityId, type Secret, type SubjectId } from '#kernel';

/**
 * One person has one subjectId for each client and environment, and nobody without the key can link two of them:
 * the UUIDv8 (RFC 9562 section 5.8) of HMAC-SHA-256(subject key, environment ‖ client_id ‖ identity id).
 */
export class SubjectIds {
  constructor(
    private readonly subjectKey: Secret<Buffer>,
    private readonly environment: string,
  ) {}

  of(clientId: ClientId, identityId: IdentityId): SubjectId {
    const bytes = hmac(this.subjectKey.reveal(), this.environment, clientId, identityId).subarray(0, 16);
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') as SubjectId;
  }
}
