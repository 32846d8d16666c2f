import { sign } from 'node:crypto';

import type { ProvisionerKey } from './provisioner-key.js';

/** A JWK provisioner of step-ca, by its name there. */
export interface Provisioner extends ProvisionerKey {
  readonly name: string;
}

export interface TokenTerms {
  /** The address of the call that the token permits. */
  readonly audience: string;
  readonly subject: string;
  /** Lets step-ca take a token once only. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Seconds for the call. step-ca allows for clocks that differ by a minute. */
const LIFE = 60;

/** The token by which a provisioner permits one call (RFC 7515 and 7519, ES256). */
export const oneTimeToken = ({ name, key, keyId }: Provisioner, { audience, subject, id, now, claims }: TokenTerms): string => {
  const at = Math.floor(now / 1000);
  const header = { alg: 'ES256', kid: keyId, typ: 'JWT' };
  const payload = { iss: name, aud: audience, sub: subject, jti: id, iat: at, nbf: at, exp: at + LIFE, ...claims };
  const signed = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${signed}.${sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
};
