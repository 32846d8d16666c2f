import type { SignatureAlgorithm, SigningKey } from '../device/keys.js';
import { type Bytes, utf8 } from './bytes.js';
import { ecdsaSignatureValue, objectIdentifier, Tag, tlv } from './der.js';

const COMMON_NAME = '2.5.4.3';

/** RFC 5758 section 3.2 and RFC 4055 section 5, whose parameters are NULL. */
const ALGORITHMS: Readonly<Record<SignatureAlgorithm, Bytes>> = {
  ES256: tlv(Tag.SEQUENCE, objectIdentifier('1.2.840.10045.4.3.2')),
  ES384: tlv(Tag.SEQUENCE, objectIdentifier('1.2.840.10045.4.3.3')),
  RS512: tlv(Tag.SEQUENCE, objectIdentifier('1.2.840.113549.1.1.13'), tlv(Tag.NULL)),
};

/**
 * A PKCS#10 certification request (RFC 2986) for a signing key, DER. It proves that this device holds the key;
 * the subject only names the device, because the service takes the certificate's subject from its own register.
 */
export const certificationRequest = async (key: SigningKey, deviceName: string): Promise<Bytes> => {
  const info = tlv(Tag.SEQUENCE, tlv(Tag.INTEGER, Uint8Array.of(0)), subject(deviceName), await key.publicKey(), tlv(Tag.CONTEXT_0));
  const signature = await key.sign(info);
  const value = key.algorithm === 'RS512' ? signature : ecdsaSignatureValue(signature);
  return tlv(Tag.SEQUENCE, info, ALGORITHMS[key.algorithm], tlv(Tag.BIT_STRING, Uint8Array.of(0), value));
};

// X.520: a common name has at most 64 characters.
const subject = (deviceName: string): Bytes =>
  tlv(
    Tag.SEQUENCE,
    tlv(Tag.SET, tlv(Tag.SEQUENCE, objectIdentifier(COMMON_NAME), tlv(Tag.UTF8_STRING, utf8([...deviceName].slice(0, 64).join(''))))),
  );
