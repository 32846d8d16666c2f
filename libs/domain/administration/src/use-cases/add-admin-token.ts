import { type Clock, type Randomness, Secret, sha256Base64url } from '#kernel';

import type { AdminRole, TokenReach } from '../domain/administrator.js';
import { isValid, nameTaken } from '../domain/admin-token.js';
import type { AdminTokenId } from '../domain/admin-token.events.js';
import type { AdminTokenRecords } from '../repositories/admin-token-records.js';

export interface AddedAdminToken {
  readonly tokenId: AdminTokenId;
  /** Returned only here: the service stores its hash. */
  readonly token: Secret<string>;
}

export interface AdminTokenTerms extends TokenReach {
  readonly name: string;
  readonly role: AdminRole;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  /** The id of the administrator who makes it. */
  readonly by: string;
}

export class AddAdminToken {
  constructor(
    private readonly records: AdminTokenRecords,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Throws {@link AdminTokenNameTaken} for the name of a valid token. The making decides it again. */
  async requireFree(name: string): Promise<void> {
    const now = this.clock.now();
    if ((await this.records.all()).some((token) => token.name === name && isValid(token, now))) throw nameTaken();
  }

  /** A token of 32 random bytes. It cannot be guessed, so a fast hash protects it as well as a slow one. Throws InvalidRequest and {@link AdminTokenNameTaken}. */
  async execute(terms: AdminTokenTerms): Promise<AddedAdminToken> {
    const token = new Secret(this.randomness.bytes(32).toString('base64url'));
    const tokenId = this.randomness.uuid<AdminTokenId>();
    await this.records.handle({ type: 'AddAdminToken', now: this.clock.now(), tokenId, hash: sha256Base64url(token.reveal()), ...terms });
    return { tokenId, token };
  }
}
