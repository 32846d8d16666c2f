import type { SigningKey } from '../device/keys.js';
import type { Bytes } from './bytes.js';
import { certificateFields } from './certificate-fields.js';
import { readElements, Tag } from './der.js';

/**
 * Whether a certificate is for this key: its subjectPublicKeyInfo (RFC 5280, 4.1.2.7) is the key's, byte for byte. The signature of the
 * certificate is not verified: this phone knows no root.
 *
 * @param certificate DER
 */
export const certifiesKey = async (certificate: Bytes, key: Pick<SigningKey, 'publicKey'>): Promise<boolean> => {
  const { key: certified } = certificateFields(certificate);
  const own = readElements(await key.publicKey())?.[0];
  return certified?.tag === Tag.SEQUENCE && certified.content.join() === own?.content.join();
};
