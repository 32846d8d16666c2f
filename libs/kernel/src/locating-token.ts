import { fromBase64url } from './base64.js';
import { constantTimeEqual, hmac } from './digest.js';
import { parseId } from './ids.js';
import type { KeyRing } from './key-ring.js';

/** The contents of a token that is not verified yet. */
export interface TokenClaim {
  readonly keyId: string;
  /** The UUID that the token leads to. */
  readonly id: string;
  readonly mac: Buffer;
}

const MAC_LENGTH = 32;
const UUID_LENGTH = 16;

/**
 * Codes, handoff tokens, cookies and activation codes: `base64url(length ‖ keyId ‖ uuid ‖ HMAC-SHA-256(key,
 * purpose ‖ uuid ‖ event id))`. Nothing is stored: the token names its stream, and it can be computed again from the
 * event that granted it.
 */
export class LocatingTokens {
  constructor(
    private readonly ring: KeyRing,
    private readonly purpose: string,
  ) {}

  /** The token that the event granted: always the same one under the same key. Throws a TypeError when the id is no UUID. */
  make(id: string, eventId: string): string {
    const key = this.ring.current();
    const name = Buffer.from(key.id);
    const uuid = uuidBytes(id);
    return Buffer.concat([Buffer.of(name.length), name, uuid, hmac(key.key.reveal(), this.purpose, uuidText(uuid), eventId)]).toString('base64url');
  }

  /** The parts of a token, or undefined when it cannot be one. Nothing is checked yet. */
  parse(token: string): TokenClaim | undefined {
    const bytes = fromBase64url(token);
    const nameLength = bytes?.[0];
    if (!bytes || nameLength === undefined || bytes.length !== 1 + nameLength + UUID_LENGTH + MAC_LENGTH) return undefined;
    const uuidAt = 1 + nameLength;
    return {
      keyId: bytes.toString('utf8', 1, uuidAt),
      id: uuidText(bytes.subarray(uuidAt, uuidAt + UUID_LENGTH)),
      mac: bytes.subarray(uuidAt + UUID_LENGTH),
    };
  }

  /** Whether the token was granted by that event; in constant time. */
  verify(claim: TokenClaim, eventId: string): boolean {
    const key = this.ring.find(claim.keyId);
    return key !== undefined && constantTimeEqual(claim.mac, hmac(key.key.reveal(), this.purpose, claim.id, eventId));
  }
}

const uuidBytes = (uuid: string): Buffer => {
  if (parseId(uuid) === undefined) throw new TypeError('a token leads to a UUID');
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
};

const uuidText = (bytes: Buffer): string => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
