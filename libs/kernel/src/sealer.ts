import { createCipheriv, createDecipheriv } from 'node:crypto';

import { fromBase64url } from './base64.js';
import type { Json } from './decider.js';
import type { KeyRing } from './key-ring.js';
import type { Randomness } from './randomness.js';
import { secretKey } from './secret-key.js';

const CIPHER = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;

/**
 * Encrypts values that are stored in events but must not be readable there (AES-256-GCM, NIST SP 800-38D).
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
    const nonce = this.randomness.bytes(NONCE);
    const cipher = createCipheriv(CIPHER, secretKey(key.reveal()), nonce, { authTagLength: TAG }).setAAD(Buffer.from(context));
    const text = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()]);
    return `${id}.${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')}`;
  }

  /** Throws when the value was altered, belongs to another context, or its key is gone. */
  open<T extends Json>(sealed: string, context: string): T {
    const [id = '', text = '', ...more] = sealed.split('.');
    const bytes = fromBase64url(text);
    if (!bytes || bytes.length < NONCE + TAG || more.length > 0) throw new Error('not a sealed value');
    const key = this.ring.find(id);
    if (!key) throw new Error(`no key ${id} in the data key ring`);
    const decipher = createDecipheriv(CIPHER, secretKey(key.key.reveal()), bytes.subarray(0, NONCE), { authTagLength: TAG })
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
    return JSON.parse(decipher.update(bytes.subarray(NONCE + TAG), undefined, 'utf8') + decipher.final('utf8')) as T;
  }
}
