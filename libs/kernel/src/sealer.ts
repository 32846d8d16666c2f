import { createCipheriv, createDecipheriv } from 'node:crypto';

import type { Json } from './decider.js';
import type { KeyRing } from './key-ring.js';
import type { Randomness } from './randomness.js';

/**
 * Encrypts what lies in a stored event but must not be readable there (AES-256-GCM, NIST SP 800-38D).
 * A sealed value is `keyId.base64url(nonce ‖ tag ‖ ciphertext)` and opens only in the context it was made
 * for (a stream's name, say), so that it cannot be moved to another place.
 */
export class Sealer {
  constructor(
    private readonly ring: KeyRing,
    private readonly randomness: Randomness,
  ) {}

  seal(value: Json, context: string): string {
    const { id, key } = this.ring.current();
    const nonce = this.randomness.bytes(12);
    const cipher = createCipheriv('aes-256-gcm', key.reveal(), nonce).setAAD(Buffer.from(context));
    const text = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()]);
    return `${id}.${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')}`;
  }

  /** Throws when the value was altered, belongs to another context, or its key is gone. */
  open<T extends Json>(sealed: string, context: string): T {
    const dot = sealed.indexOf('.');
    const key = this.ring.find(sealed.slice(0, dot));
    if (!key) throw new Error(`no key ${sealed.slice(0, dot)} in the data key ring`);
    const bytes = Buffer.from(sealed.slice(dot + 1), 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', key.key.reveal(), bytes.subarray(0, 12))
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(12, 28));
    return JSON.parse(decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8')) as T;
  }
}
