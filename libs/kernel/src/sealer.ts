import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject } from 'node:crypto';

import { fromBase64url } from './base64.js';
import type { Json } from './decider.js';
import type { KeyRing } from './key-ring.js';
import type { Randomness } from './randomness.js';
import { RecentlyUsed } from './recently-used.js';

const CIPHER = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;
/** The form of a sealed value. Another form will get another mark. */
const FORM = '1';

/**
 * Encrypts values that are stored in events but must not be readable there (AES-256-GCM, NIST SP 800-38D). A sealed value opens only in the context it was
 * made for (for example the name of a stream; at most 1000 bytes), so that it cannot be moved to another place: `keyId.1.base64url(nonce ‖ tag ‖ ciphertext)`, under a key that
 * HKDF (RFC 5869) derives for the context. Random nonces are safe for 2^32 values under one key, and no context reaches this number (ADR 0041).
 */
export class Sealer {
  constructor(
    private readonly ring: KeyRing,
    private readonly randomness: Randomness,
  ) {}

  seal(value: Json, context: string): string {
    const { id, key } = this.ring.current();
    const nonce = this.randomness.bytes(NONCE);
    const cipher = createCipheriv(CIPHER, derivedKey(key.reveal(), context), nonce, { authTagLength: TAG }).setAAD(Buffer.from(context));
    const text = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()]);
    return [id, FORM, Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')].join('.');
  }

  /** Throws when the value was altered, belongs to another context, or its key is gone. */
  open<T extends Json>(sealed: string, context: string): T {
    const { id, bytes } = parse(sealed);
    const key = this.ring.find(id)?.key.reveal();
    if (!key) throw new Error(`no key ${id} in the data key ring`);
    const decipher = createDecipheriv(CIPHER, derivedKey(key, context), bytes.subarray(0, NONCE), { authTagLength: TAG })
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
    return JSON.parse(decipher.update(bytes.subarray(NONCE + TAG), undefined, 'utf8') + decipher.final('utf8')) as T;
  }
}

const parse = (sealed: string): { readonly id: string; readonly bytes: Buffer } => {
  const [id = '', form, text = '', ...more] = sealed.split('.', 4);
  const bytes = fromBase64url(text);
  if (form !== FORM || more.length > 0 || !bytes || bytes.length < NONCE + TAG) throw new Error('not a sealed value');
  return { id, bytes };
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
