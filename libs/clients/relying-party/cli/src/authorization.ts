import { createPrivateKey, type KeyObject, randomUUID, sign } from 'node:crypto';

import { basicCredential } from '../../src/basic-credential.js';
import { usage } from './failures.js';
import type { Settings } from './settings.js';

/** Makes the value of the Authorization header, a new one for each connection. */
export type Authorization = () => string;

/** `askSecret`: asks the person, where neither the environment nor a file holds the secret. Throws a Failure. */
export const authorizationOf = async (
  { credentials, clientId, url }: Pick<Settings, 'credentials' | 'clientId' | 'url'>,
  askSecret: () => Promise<string>,
): Promise<Authorization> => {
  if ('key' in credentials) {
    const { key, keyId } = credentials;
    const read = privateKey(key);
    return () => `Bearer ${assertion(read, { clientId, keyId, audience: url, now: Math.floor(Date.now() / 1000) })}`;
  }
  const header = basicCredential(clientId, credentials.secret ?? (await askSecret()));
  return () => header;
};

/** A key in PEM, or as a JWK. */
const privateKey = (text: string): KeyObject => {
  try {
    return text.trimStart().startsWith('{') ? createPrivateKey({ key: JSON.parse(text) as never, format: 'jwk' }) : createPrivateKey(text);
  } catch {
    throw usage('the file of --key-file holds no private key in PEM or as a JWK');
  }
};

export interface AssertionClaims {
  readonly clientId: string;
  readonly keyId: string | undefined;
  readonly audience: string;
  /** Epoch seconds. */
  readonly now: number;
}

/** Seconds, as long as the service takes it. */
const LIFE = 60;

/** A JWT by which the client proves itself (RFC 7523 section 2.2): ES256 by a key on P-256, RS256 by an RSA key. */
export const assertion = (key: KeyObject, { clientId, keyId, audience, now }: AssertionClaims): string => {
  const isEc = key.asymmetricKeyType === 'ec';
  if (isEc ? key.asymmetricKeyDetails?.namedCurve !== 'prime256v1' : key.asymmetricKeyType !== 'rsa') {
    throw usage('the key of --key-file must be an RSA key, or one on P-256');
  }
  const header = { alg: isEc ? 'ES256' : 'RS256', typ: 'JWT', ...(keyId !== undefined && { kid: keyId }) };
  const claims = { iss: clientId, sub: clientId, aud: audience, jti: randomUUID(), iat: now, exp: now + LIFE };
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${signed}.${sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
};
