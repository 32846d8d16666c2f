import { fromBase64url } from './base64.js';
import { type Bytes, constantTimeEqual, hmac } from './digest.js';
import type { KeyRing } from './key-ring.js';

/** Why a MAC is refused. `unsigned`: there is none. `key`: the ring has no key of its name. `forged`: it is no MAC, or that of other parts. */
export type MacRefusal = 'unsigned' | 'key' | 'forged';

const MAC_LENGTH = 32;

/** The message authentication code of the parts under the current key of the ring: base64url(length ‖ keyId ‖ HMAC-SHA-256) (RFC 2104). The first part names what is authenticated. */
export const ringMac = (ring: KeyRing, ...parts: readonly Bytes[]): string => {
  const { id, key } = ring.current();
  const name = Buffer.from(id);
  return Buffer.concat([Buffer.of(name.length), name, hmac(key.reveal(), ...parts)]).toString('base64url');
};

/** Why a text is not the MAC of the parts under a key of the ring; undefined when it is. */
export const macRefusal = (ring: KeyRing, mac: string | undefined, ...parts: readonly Bytes[]): MacRefusal | undefined => {
  if (mac === undefined) return 'unsigned';
  const bytes = fromBase64url(mac);
  const nameLength = bytes?.[0];
  if (!bytes || nameLength === undefined || bytes.length !== 1 + nameLength + MAC_LENGTH) return 'forged';
  const found = ring.find(bytes.toString('utf8', 1, 1 + nameLength));
  if (!found) return 'key';
  return constantTimeEqual(bytes.subarray(1 + nameLength), hmac(found.key.reveal(), ...parts)) ? undefined : 'forged';
};
