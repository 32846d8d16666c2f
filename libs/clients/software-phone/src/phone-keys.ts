import { createPrivateKey, generateKeyPair, type JsonWebKey, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

import type { Randomness } from '#kernel';

export type SigningKeyType = 'P-256' | 'P-384' | 'RSA-3072';

/** The secrets of a phone. It never sends them. */
export interface PhoneKeys {
  /** Private, P-256: proves the phone's requests and signs its logins. */
  readonly authentication: KeyObject;
  /** Private: signs documents. */
  readonly signing: KeyObject;
  /** 256 bits that turn the PIN into a proof. */
  readonly pinKey: Buffer;
}

/** Keys as JSON: as secret as the keys. */
export type StoredKeys = {
  readonly authentication: JsonWebKey & Record<string, string>;
  readonly signing: JsonWebKey & Record<string, string>;
  readonly pinKey: string;
};

const generate = promisify(generateKeyPair);

const newSigningKey = async (type: SigningKeyType): Promise<KeyObject> => {
  if (type === 'RSA-3072') return (await generate('rsa', { modulusLength: 3072 })).privateKey;
  return (await generate('ec', { namedCurve: type })).privateKey;
};

export const newPhoneKeys = async (randomness: Randomness, signing: SigningKeyType = 'P-256'): Promise<PhoneKeys> => ({
  authentication: (await generate('ec', { namedCurve: 'P-256' })).privateKey,
  signing: await newSigningKey(signing),
  pinKey: randomness.bytes(32),
});

export const serializeKeys = ({ authentication, signing, pinKey }: PhoneKeys): StoredKeys => ({
  authentication: authentication.export({ format: 'jwk' }) as StoredKeys['authentication'],
  signing: signing.export({ format: 'jwk' }) as StoredKeys['signing'],
  pinKey: pinKey.toString('base64url'),
});

export const parseKeys = ({ authentication, signing, pinKey }: StoredKeys): PhoneKeys => ({
  authentication: createPrivateKey({ key: authentication, format: 'jwk' }),
  signing: createPrivateKey({ key: signing, format: 'jwk' }),
  pinKey: Buffer.from(pinKey, 'base64url'),
});
