import { type Clock, constantTimeEqual, type Secret, sha256, sha256Base64url } from '#kernel';

import { ADMIN_ROLES, type Administrator, FIRST_START } from '../domain/administrator.js';
import { isValid } from '../domain/admin-token.js';
import type { AdminTokenRecords } from '../repositories/admin-token-records.js';

/** Finds the administrator of a Bearer token. */
export class AuthenticateAdministrator {
  readonly #first: Buffer;

  /** `firstStart`: the token of the settings or of the first start. */
  constructor(
    private readonly records: AdminTokenRecords,
    private readonly clock: Clock,
    firstStart: Secret<string>,
  ) {
    this.#first = sha256(firstStart.reveal());
  }

  /**
   * Undefined for a token that is unknown, revoked or expired. Every comparison is of digests and in constant time. The first token needs no store, so that an
   * operator gets in while the store is unavailable.
   */
  async execute(token: string): Promise<Administrator | undefined> {
    if (constantTimeEqual(sha256(token), this.#first)) return { id: FIRST_START, roles: ADMIN_ROLES };
    const hash = Buffer.from(sha256Base64url(token));
    const now = this.clock.now();
    const matching = (await this.records.all()).filter((known) => constantTimeEqual(Buffer.from(known.hash), hash));
    const valid = matching.find((known) => isValid(known, now));
    return valid && { id: valid.tokenId, roles: [valid.role] };
  }
}
