import type { Bytes } from './bytes.js';
import { readElements, Tag } from './der.js';

/**
 * Whether a certificate is for this public key: its subjectPublicKeyInfo (RFC 5280, 4.1.2.7) is the key's, byte for byte. The signature of the
 * certificate is not verified: this phone knows no root.
 *
 * @param certificate DER
 */
export const certifiesKey = async (certificate: Bytes, key: CryptoKey): Promise<boolean> => {
  const body = inside(inside(certificate)?.[0]?.content)?.[0];
  const fields = inside(body?.content) ?? [];
  // version (explicit, left out for v1), serial number, algorithm, issuer, validity, subject, key
  const certified = fields[fields[0]?.tag === Tag.CONTEXT_0 ? 6 : 5];
  const own = inside(new Uint8Array(await crypto.subtle.exportKey('spki', key)))?.[0];
  return certified?.tag === Tag.SEQUENCE && certified.content.join() === own?.content.join();
};

const inside = (content: Bytes | undefined): ReturnType<typeof readElements> => content && readElements(content);
