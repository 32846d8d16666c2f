import { sign } from 'node:crypto';

import type { ScannedSession, SignatureAlgorithm } from './app-api.js';
import type { PhoneKeys } from './phone-keys.js';

const HASHES: Readonly<Record<SignatureAlgorithm, string>> = { ES256: 'sha256', ES384: 'sha384', RS512: 'sha512' };

/** Base64 of the signature over the bytes of `toBeSigned`; of an EC key as IEEE P1363 (specification/app.md#what-the-phone-signs). */
export const statementSignature = (keys: PhoneKeys, scanned: Pick<ScannedSession, 'signatureType' | 'signatureAlgorithm' | 'toBeSigned'>): string => {
  const key = scanned.signatureType === 'SIGNING' ? keys.signing : keys.authentication;
  const bytes = Buffer.from(scanned.toBeSigned, 'base64');
  return sign(HASHES[scanned.signatureAlgorithm], bytes, { key, dsaEncoding: 'ieee-p1363' }).toString('base64');
};
