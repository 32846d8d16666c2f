import { createPublicKey, type KeyObject, sign } from 'node:crypto';

import { sha256Base64url } from '#kernel';

/** The values that a proof binds together (specification/app.md#device-proof). */
export interface ProofClaims {
  readonly htm: string;
  /** The path, without the query. */
  readonly htu: string;
  /** Epoch seconds. */
  readonly iat: number;
  readonly jti: string;
  /** base64url of the SHA-256 of the body. */
  readonly bsh: string;
}

/** How to make a proof that the service must refuse. An `undefined` member is left out of the proof. */
export interface ProofTampering {
  readonly header?: Readonly<Record<string, unknown>>;
  readonly claims?: Partial<Record<keyof ProofClaims, unknown>>;
  /** Signs instead of the phone's own key; an EC key. */
  readonly key?: KeyObject;
}

export const proofClaims = (method: string, path: string, body: Uint8Array, iat: number, jti: string): ProofClaims => ({
  htm: method,
  htu: path.split('?', 1)[0] ?? '',
  iat,
  jti,
  bsh: sha256Base64url(body),
});

/**
 * A compact JWS (RFC 7515 section 3.1) by ES256. Made by hand, because a library refuses to make the wrong ones.
 * `deviceId` is missing at enrolment: then the public key comes along.
 */
export const deviceProof = (key: KeyObject, deviceId: string | undefined, claims: ProofClaims, tampering: ProofTampering = {}): string => {
  const who = deviceId === undefined ? { jwk: publicJwk(key) } : { kid: deviceId };
  const header = { typ: 'device-proof+jwt', alg: 'ES256', ...who, ...tampering.header };
  const input = `${base64url(header)}.${base64url({ ...claims, ...tampering.claims })}`;
  const signature = sign('sha256', Buffer.from(input), { key: tampering.key ?? key, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
};

/** Of a private EC key, the public members (RFC 7518 section 6.2.1). */
export const publicJwk = (key: KeyObject): Record<string, unknown> => {
  const { kty, crv, x, y } = createPublicKey(key).export({ format: 'jwk' });
  return { kty, crv, x, y };
};

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
