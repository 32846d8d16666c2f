import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject } from 'node:crypto';

import { fromBase64url } from './base64.js';
import type { Json } from './decider.js';
import type { KeyRing } from './key-ring.js';
import type { Randomness } from './randomness.js';
import { RecentlyUsed } from './recently-used.js';
import { secretKey } from './secret-key.js';

const CIPHER = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;
/** Marks a value that was sealed under a derived key. A value without a mark was sealed under the key of the ring itself. */
const DERIVED = '1';

export interface SealerOptions {
  /** Whether each context gets a key of its own. Releases before this setting cannot read such values. */
  readonly keyPerContext?: boolean;
  /** Called for each sealed value with the id of the key. `under`: whether the key itself was used, or a key derived from it. */
  readonly onSeal?: (keyId: string, under: 'key' | 'derived-key') => void;
}

/**
 * Encrypts values that are stored in events but must not be readable there (AES-256-GCM, NIST SP 800-38D). A sealed value opens only in the context it was
 * made for (for example the name of a stream; at most 1000 bytes), so that it cannot be moved to another place. A Sealer opens both forms of values:
 *
 * - `keyId.1.base64url(nonce ‖ tag ‖ ciphertext)`, under a key that HKDF (RFC 5869) derives for the context. Random nonces are safe for 2^32 values under
 *   one key, and no context reaches this number.
 * - `keyId.base64url(…)`, under the key itself: the only form that former releases know.
 */
export class Sealer {
  constructor(
    private readonly ring: KeyRing,
    private readonly randomness: Randomness,
    private readonly options: SealerOptions = {},
  ) {}

  seal(value: Json, context: string): string {
    const { keyPerContext = false, onSeal } = this.options;
    const { id, key } = this.ring.current();
    const nonce = this.randomness.bytes(NONCE);
    const usedKey = keyPerContext ? derivedKey(key.reveal(), context) : secretKey(key.reveal());
    const cipher = createCipheriv(CIPHER, usedKey, nonce, { authTagLength: TAG }).setAAD(Buffer.from(context));
    const text = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()]);
    onSeal?.(id, keyPerContext ? 'derived-key' : 'key');
    return [id, ...(keyPerContext ? [DERIVED] : []), Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')].join('.');
  }

  /** Throws when the value was altered, belongs to another context, or its key is gone. */
  open<T extends Json>(sealed: string, context: string): T {
    const { id, isDerived, bytes } = parse(sealed);
    const key = this.ring.find(id)?.key.reveal();
    if (!key) throw new Error(`no key ${id} in the data key ring`);
    const usedKey = isDerived ? derivedKey(key, context) : secretKey(key);
    const decipher = createDecipheriv(CIPHER, usedKey, bytes.subarray(0, NONCE), { authTagLength: TAG })
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
    return JSON.parse(decipher.update(bytes.subarray(NONCE + TAG), undefined, 'utf8') + decipher.final('utf8')) as T;
  }
}

const parse = (sealed: string): { readonly id: string; readonly isDerived: boolean; readonly bytes: Buffer } => {
  const parts = sealed.split('.', 4);
  const isDerived = parts.length === 3 && parts[1] === DERIVED;
  const bytes = fromBase64url(parts.at(-1) ?? '');
  if (!(isDerived || parts.length === 2) || !bytes || bytes.length < NONCE + TAG) throw new Error('not a sealed value');
  return { id: parts[0] ?? '', isDerived, bytes };
};

/**
 * Derived keys that are remembered: a login opens and seals six values in the context of its session. Few, so that most end young: V8 frees the native
 * object of each old one while the process stands still.
 */
const DERIVED_KEYS = 100;

const derived = new WeakMap<Buffer, RecentlyUsed<string, KeyObject>>();

const derivedKey = (key: Buffer, context: string): KeyObject => {
  const ofKey = derived.get(key) ?? new RecentlyUsed<string, KeyObject>(DERIVED_KEYS);
  derived.set(key, ofKey);
  const known = ofKey.get(context);
  if (known) return known;
  const made = derive(key, context);
  ofKey.set(context, made);
  return made;
};

/**
 * HKDF-SHA-256 without salt: 32 bytes are one block of its second half (RFC 5869 §2.3). `hkdfSync` takes three times as long, and the cipher takes four
 * times as long with a key given as bytes.
 */
const derive = (key: Buffer, context: string): KeyObject =>
  createSecretKey(createHmac('sha256', extractedKey(key)).update(`countersign/sealed/1\0${context}\x01`).digest());

const NO_SALT = Buffer.alloc(32);

const extracted = new WeakMap<Buffer, KeyObject>();

/** The first half of HKDF (RFC 5869 §2.2). It is the same for every context, so it is computed once for each key of the ring. */
const extractedKey = (key: Buffer): KeyObject => {
  const made = extracted.get(key) ?? createSecretKey(createHmac('sha256', NO_SALT).update(key).digest());
  extracted.set(key, made);
  return made;
};
