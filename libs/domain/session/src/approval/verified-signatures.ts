import type { JsonWebKey } from 'node:crypto';

import { verificationKey } from '#domain/identity';
import { RecentlyUsed, sha256Base64url, verifyEs256 } from '#kernel';

/** The number of remembered signatures. Each takes a digest, some 150 bytes. */
const REMEMBERED = 20_000;

/**
 * Remembers the signatures of logins that were right. A signature that is right once stays right, so a process that has checked it at the confirmation
 * need not compute the check again at the exchange of the code. The check of a wrong signature is computed each time.
 */
export class VerifiedSignatures {
  readonly #right = new RecentlyUsed<string, true>(REMEMBERED);

  constructor(private readonly verify: typeof verifyEs256 = verifyEs256) {}

  /** Whether the signature (r ‖ s, 64 bytes) was made with the P-256 key over the content. Throws when the key is not on the curve. */
  async isRight(jwk: JsonWebKey, content: Uint8Array, signature: Uint8Array): Promise<boolean> {
    const key = verificationKey(jwk);
    const digest = sha256Base64url(Buffer.concat([Buffer.from(`${jwk.x}.${jwk.y}.${signature.length}.`), signature, content]));
    if (this.#right.get(digest)) return true;
    const isRight = await this.verify(key, content, signature);
    if (isRight) this.#right.set(digest, true);
    return isRight;
  }
}
