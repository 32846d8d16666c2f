import type { JsonWebKey } from 'node:crypto';

import { verificationKey } from '#identity';
import { RecentlyUsed, sha256Base64url, verifyEs256 } from '#kernel';

/** A digest each, some 150 bytes. */
const REMEMBERED = 20_000;

/**
 * The signatures of logins that were found right. Whether a signature is a key's over some content never changes, so the check at the exchange of the code need not
 * compute again what the same process has computed at the confirmation. A wrong signature is computed each time.
 */
export class VerifiedSignatures {
  readonly #right = new RecentlyUsed<string, true>(REMEMBERED);

  constructor(private readonly verify: typeof verifyEs256 = verifyEs256) {}

  /** Whether the signature (r ‖ s, 64 bytes) is the P-256 key's over the content. Throws when the key is not on the curve. */
  async isRight(jwk: JsonWebKey, content: Uint8Array, signature: Uint8Array): Promise<boolean> {
    const key = verificationKey(jwk);
    const digest = sha256Base64url(Buffer.concat([Buffer.from(`${jwk.x}.${jwk.y}.${signature.length}.`), signature, content]));
    if (this.#right.get(digest)) return true;
    const isRight = await this.verify(key, content, signature);
    if (isRight) this.#right.set(digest, true);
    return isRight;
  }
}
