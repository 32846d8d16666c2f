import type { KeyObject } from 'node:crypto';

import { fromBase64url, parsedObject, verifyEs256 } from '#kernel';

export type JwsHeader = Readonly<Record<string, unknown>>;

/** The parts of a compact JWS (RFC 7515 section 7.1) whose signature is still to be checked. */
export interface CompactJws {
  readonly header: JwsHeader;
  readonly payload: Buffer;
  /** Whether the key has signed header and payload with ES256. */
  readonly isSignedBy: (key: KeyObject) => Promise<boolean>;
}

/**
 * Reads a compact JWS with ES256, the one algorithm of device proofs. Undefined for any other text, and for a header with critical members: none is known here
 * (RFC 7515 section 4.1.11). A general library takes twice the processor time of the signature check (docs/adr/0025-es256-by-node.md).
 */
export const readCompactJws = (text: string): CompactJws | undefined => {
  const [first, second, third, ...more] = text.split('.');
  if (first === undefined || second === undefined || third === undefined || more.length > 0) return undefined;
  const [head, payload, signature] = [fromBase64url(first), fromBase64url(second), fromBase64url(third)];
  const header: JwsHeader | undefined = head && parsedObject(head.toString());
  if (!header || !payload || !signature || header['alg'] !== 'ES256' || 'crit' in header || 'b64' in header) return undefined;
  const content = Buffer.from(`${first}.${second}`, 'latin1');
  return { header, payload, isSignedBy: (key) => verifyEs256(key, content, signature) };
};
