import { hash } from 'node:crypto';

const NAMESPACE_BYTES = 16;
/** The two bits of the variant before the two that the digest leaves (RFC 9562 section 4.1). */
const VARIANTS = '89ab';

/** For names that are addresses (RFC 9562 section 6.6). */
export const URL_NAMESPACE = '6ba7b811-9dad-11d1-80b4-00c04fd430c8';

/** The UUID, version 5, of a name in a namespace, which is a UUID itself (RFC 9562 section 5.5): always the same for the same two. */
export const uuidV5 = (name: string, namespace: string): string => {
  const bytes = Buffer.allocUnsafe(NAMESPACE_BYTES + Buffer.byteLength(name));
  if (bytes.write(namespace.replaceAll('-', ''), 'hex') !== NAMESPACE_BYTES) throw new TypeError(`${namespace} is no UUID`);
  bytes.write(name, NAMESPACE_BYTES);
  const digest = hash('sha1', bytes, 'hex');
  const variant = VARIANTS[Number.parseInt(digest.charAt(16), 16) & 3];
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
};
