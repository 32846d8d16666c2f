import { type KeyObject, verify } from 'node:crypto';

import { fromBase64url } from '#kernel';

/** RFC 7515 section 7.1, taken apart. Nothing is checked yet but its form. */
export interface CompactJws {
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Buffer;
  /** The characters that were signed. */
  readonly signed: string;
  readonly signature: Buffer;
}

/** Undefined for what is no compact JWS: three parts of unpadded base64url, a JSON object first. */
export const parseCompactJws = (text: string): CompactJws | undefined => {
  const parts = text.split('.');
  const [protectedHeader = '', payloadPart = '', signaturePart = ''] = parts;
  const header = parseObject(fromBase64url(protectedHeader));
  const payload = fromBase64url(payloadPart);
  const signature = fromBase64url(signaturePart);
  if (parts.length !== 3 || !header || !payload || !signature) return undefined;
  return { header, payload, signed: `${protectedHeader}.${payloadPart}`, signature };
};

/** Two 32-byte integers (RFC 7518 section 3.4). */
const ES256_SIGNATURE = 64;

/** Whether the signature is ES256 by this P-256 key. Synchronous: handing it to a thread would cost more than the verification. */
export const isSignedBy = (key: KeyObject, { signed, signature }: CompactJws): boolean =>
  signature.length === ES256_SIGNATURE && verify('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, signature);

const parseObject = (bytes: Buffer | undefined): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(bytes?.toString() ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
};
