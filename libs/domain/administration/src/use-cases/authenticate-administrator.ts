import { type Clock, constantTimeEqual, type Secret, sha256, sha256Base64url } from '#kernel';

import { ADMIN_ROLES, type Administrator, FIRST_START } from '../domain/administrator.js';
import { isValid } from '../domain/admin-token.js';
import type { AdminTokenRecords } from '../repositories/admin-token-records.js';
import type { PortalMembers } from '../repositories/portal-members.js';

export interface AuthenticateAdministratorParts {
  readonly records: Pick<AdminTokenRecords, 'all'>;
  readonly clock: Clock;
  /** The token of the settings or of the first start. */
  readonly firstStart: Secret<string>;
  readonly members: Pick<PortalMembers, 'isFirstStartOver'>;
  /** Whether that token is for the first start alone. */
  readonly guarded: boolean;
}

/** Finds the administrator of a Bearer token. */
export class AuthenticateAdministrator {
  readonly #first: Buffer;

  constructor(private readonly parts: AuthenticateAdministratorParts) {
    this.#first = sha256(parts.firstStart.reveal());
  }

  /**
   * Undefined for a token that is unknown, revoked or expired, and for the first token of a guarded environment whose first start is over. Every comparison is of digests and in
   * constant time. The first token of `development` and `test` needs no store, so that its holder gets in while the store is unavailable.
   */
  async execute(token: string): Promise<Administrator | undefined> {
    const { records, clock, guarded } = this.parts;
    if (constantTimeEqual(sha256(token), this.#first)) return guarded ? this.#firstStart() : { id: FIRST_START, roles: ADMIN_ROLES };
    const hash = Buffer.from(sha256Base64url(token));
    const now = clock.now();
    const matching = (await records.all()).filter((known) => constantTimeEqual(Buffer.from(known.hash), hash));
    const valid = matching.find((known) => isValid(known, now));
    if (!valid) return undefined;
    const { tokenId, role, routes, clients, named } = valid;
    return { id: tokenId, roles: [role], reach: { routes, ...(clients && { clients }), ...(named && { named }) } };
  }

  async #firstStart(): Promise<Administrator | undefined> {
    return (await this.parts.members.isFirstStartOver()) ? undefined : { id: FIRST_START, roles: ADMIN_ROLES, firstStartOnly: true };
  }
}
