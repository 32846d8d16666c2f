import type { Bytes } from './bytes.js';
import { readElements, Tag } from './der.js';

/**
 * The point of a P-256 key (RFC 5480 section 2.2, SEC 1 section 2.3.3): 32 bytes each. Throws for any other key.
 *
 * @param publicKey SubjectPublicKeyInfo, DER
 */
export const p256Point = (publicKey: Bytes): { readonly x: Bytes; readonly y: Bytes } => {
  const [info] = readElements(publicKey) ?? [];
  const [, key] = (info && readElements(info.content)) ?? [];
  // No unused bits, then 0x04 for an uncompressed point.
  const [unused, form] = key?.content ?? [];
  if (key?.tag !== Tag.BIT_STRING || unused !== 0 || form !== 4 || key.content.length !== 66) throw new TypeError('not an uncompressed P-256 key');
  return { x: key.content.slice(2, 34), y: key.content.slice(34) };
};
