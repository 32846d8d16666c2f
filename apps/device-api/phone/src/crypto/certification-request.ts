import { type Bytes, utf8 } from './bytes.js';
import { ecdsaSignatureValue, objectIdentifier, Tag, tlv } from './der.js';

const COMMON_NAME = '2.5.4.3';
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';

/**
 * A PKCS#10 certification request (RFC 2986) for a P-256 signing key, DER. It proves that this device holds the key;
 * the subject only names the device, because the service takes the certificate's subject from its own register.
 */
export const certificationRequest = async (keys: CryptoKeyPair, deviceName: string): Promise<Bytes> => {
  const publicKeyInfo = new Uint8Array(await crypto.subtle.exportKey('spki', keys.publicKey));
  const info = tlv(Tag.SEQUENCE, tlv(Tag.INTEGER, Uint8Array.of(0)), subject(deviceName), publicKeyInfo, tlv(Tag.CONTEXT_0));
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, keys.privateKey, info);
  return tlv(
    Tag.SEQUENCE,
    info,
    tlv(Tag.SEQUENCE, objectIdentifier(ECDSA_WITH_SHA256)),
    tlv(Tag.BIT_STRING, Uint8Array.of(0), ecdsaSignatureValue(new Uint8Array(signature))),
  );
};

// X.520: a common name has at most 64 characters.
const subject = (deviceName: string): Bytes =>
  tlv(
    Tag.SEQUENCE,
    tlv(Tag.SET, tlv(Tag.SEQUENCE, objectIdentifier(COMMON_NAME), tlv(Tag.UTF8_STRING, utf8([...deviceName].slice(0, 64).join(''))))),
  );
