import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';

import { bitString, contents, type DerNode, encode, integer, nul, oid, raw, sequence, tagged } from '#signatures/pki';
import { OID } from '#signatures/pki';

export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export const newKey = {
  'P-256': (): KeyPair => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
  'P-384': (): KeyPair => generateKeyPairSync('ec', { namedCurve: 'secp384r1' }),
  RSA: (modulusLength = 3072): KeyPair => generateKeyPairSync('rsa', { modulusLength }),
} as const;

export const spkiOf = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' }) as Buffer;

export interface RequestOptions {
  readonly version?: number;
  readonly subject?: DerNode;
  readonly spki?: Buffer;
  readonly signer?: KeyObject;
  readonly hash?: string;
  readonly algorithm?: string;
  readonly tail?: DerNode;
}

/** A PKCS#10 request as a phone makes it, each part replaceable to make it wrong. */
export const signingRequest = (keys: KeyPair, options: RequestOptions = {}): Buffer => {
  const rsa = keys.privateKey.asymmetricKeyType === 'rsa';
  const info = sequence(integer(options.version ?? 0), options.subject ?? sequence(), raw(options.spki ?? spkiOf(keys.publicKey)), tagged(0));
  const signature = createSign(options.hash ?? 'sha256')
    .update(encode(info))
    .sign(options.signer ?? keys.privateKey);
  const algorithm = oid(options.algorithm ?? (rsa ? OID.sha256WithRsa : OID.ecdsaWithSha256));
  const request = [info, rsa ? sequence(algorithm, nul()) : sequence(algorithm), bitString(signature)];
  return encode(sequence(...request, ...(options.tail ? [options.tail] : [])));
};

/** A NULL under a tag of its own, which no structure expects. */
export const STRAY: DerNode = contents(0x05, Buffer.alloc(0));
