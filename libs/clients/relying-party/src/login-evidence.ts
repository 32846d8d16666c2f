import { createPublicKey, type KeyObject, verify } from 'node:crypto';

import { CountersignError } from './errors.js';
import type { RequestedProperties } from './properties.js';

/** RFC 7517, as Node's own types have it: the name of the type differs among their versions. */
type JsonWebKey = Extract<Parameters<typeof createPublicKey>[0], { readonly format: 'jwk' }>['key'];

/** The public keys of the service (RFC 7517). Keep those of the day beside the evidence: the service publishes a key for a day after its last use. */
export interface EvidenceKeys {
  readonly keys: readonly (JsonWebKey & { readonly kid?: string })[];
}

/** What the phone showed the person, and signed. */
export interface LoginStatement {
  readonly sessionId: string;
  readonly clientId: string;
  /** The client's name on the phone. */
  readonly relyingPartyName: string;
  /** The client's own text. */
  readonly title?: string;
  readonly requested?: RequestedProperties;
  /** Random, of this login alone. */
  readonly challenge: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

/** A login whose evidence holds. Times are epoch seconds. */
export interface ProvenLogin {
  readonly subjectId: string;
  /** When the person approved, as the service says. */
  readonly confirmedAt: number;
  /** Signed by the phone. */
  readonly statement: LoginStatement;
  /** Of the phone: the same in all evidence of it, at every client. */
  readonly publicKey: JsonWebKey;
  /** Since when the phone is the person's, as the service says. */
  readonly enrolledAt: number;
  /** A number finished the login on the hosted page. */
  readonly finishedBy?: 'number';
}

export type EvidenceFault = 'UNREADABLE' | 'KEY_UNKNOWN' | 'SIGNATURE_DIFFERENT' | 'OTHER_ISSUER' | 'OTHER_CLIENT' | 'PHONE_SIGNATURE_DIFFERENT';

/** The evidence proves no login at this client. */
export class EvidenceRefused extends CountersignError {
  constructor(readonly reason: EvidenceFault) {
    super(`the evidence of the login is refused: ${reason}`);
  }
}

export interface EvidenceToVerify {
  readonly evidence: string;
  readonly keys: EvidenceKeys;
  /** `{base_url}/openid`, unless the operator names another one. */
  readonly issuer: string;
  readonly clientId: string;
}

/** The signature that both use: ECDSA on P-256 with SHA-256, r and s side by side (RFC 7518 section 3.4). */
const ALGORITHM = 'ES256';
const TYPE = 'login-evidence+jwt';

/**
 * Checks the evidence of a login at any later time: the service has signed all of it for this client, and the phone has signed the statement in it, which is about this client. Throws
 * {@link EvidenceRefused}.
 */
export const verifyEvidence = ({ evidence, keys, issuer, clientId }: EvidenceToVerify): ProvenLogin => {
  const { header, claims, signed, signature } = partsOf(evidence);
  if (header['alg'] !== ALGORITHM || header['typ'] !== TYPE) throw new EvidenceRefused('UNREADABLE');
  const key = keys.keys.find(({ kid, kty }) => kid === header['kid'] && kty === 'EC');
  if (!key) throw new EvidenceRefused('KEY_UNKNOWN');
  if (!isSigned(signed, key, signature)) throw new EvidenceRefused('SIGNATURE_DIFFERENT');
  if (claims['iss'] !== issuer) throw new EvidenceRefused('OTHER_ISSUER');
  if (claims['aud'] !== clientId) throw new EvidenceRefused('OTHER_CLIENT');
  const { toBeSigned, publicKey, ...proven } = readClaims(claims);
  const bytes = Buffer.from(toBeSigned, 'base64');
  if (!isSigned(bytes, publicKey, Buffer.from(proven.signature, 'base64'))) throw new EvidenceRefused('PHONE_SIGNATURE_DIFFERENT');
  const statement = objectIn(bytes) as unknown as LoginStatement;
  if (statement.clientId !== clientId) throw new EvidenceRefused('OTHER_CLIENT');
  const { subjectId, confirmedAt, enrolledAt, finishedBy } = proven;
  return { subjectId, confirmedAt, statement, publicKey, enrolledAt, ...(finishedBy && { finishedBy }) };
};

type Members = Readonly<Record<string, unknown>>;

const partsOf = (evidence: string) => {
  const [header, claims, signature, ...more] = evidence.split('.');
  if (header === undefined || claims === undefined || signature === undefined || more.length > 0) throw new EvidenceRefused('UNREADABLE');
  return {
    header: objectIn(Buffer.from(header, 'base64url')),
    claims: objectIn(Buffer.from(claims, 'base64url')),
    signed: Buffer.from(`${header}.${claims}`),
    signature: Buffer.from(signature, 'base64url'),
  };
};

const objectIn = (bytes: Buffer): Members => {
  try {
    const json: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Members;
  } catch {
    // As below.
  }
  throw new EvidenceRefused('UNREADABLE');
};

const readClaims = (claims: Members) => {
  const { sub, toBeSigned, signature, signatureAlgorithm, publicKey, confirmedAt, enrolledAt, finishedBy } = claims;
  const texts = [sub, toBeSigned, signature];
  const times = [confirmedAt, enrolledAt];
  if (!texts.every((text) => typeof text === 'string') || !times.every(Number.isSafeInteger)) throw new EvidenceRefused('UNREADABLE');
  if (signatureAlgorithm !== ALGORITHM || typeof publicKey !== 'object' || publicKey === null) throw new EvidenceRefused('UNREADABLE');
  return {
    subjectId: sub as string,
    toBeSigned: toBeSigned as string,
    signature: signature as string,
    publicKey: publicKey as JsonWebKey,
    confirmedAt: confirmedAt as number,
    enrolledAt: enrolledAt as number,
    ...(finishedBy === 'number' && { finishedBy: 'number' as const }),
  };
};

const isSigned = (bytes: Buffer, key: JsonWebKey, signature: Buffer): boolean => {
  const publicKey = keyOf(key);
  return publicKey !== undefined && verify('sha256', bytes, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature);
};

/** Undefined for anything but a key on P-256. */
const keyOf = (key: JsonWebKey): KeyObject | undefined => {
  try {
    const made = createPublicKey({ key, format: 'jwk' });
    return made.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? made : undefined;
  } catch {
    return undefined;
  }
};
