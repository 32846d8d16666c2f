import { createHmac, hash, timingSafeEqual } from 'node:crypto';

import { secretKey } from './secret-key.js';

export type Bytes = string | NodeJS.ArrayBufferView;

/** SHA-256 (FIPS 180-4). By way of hex, which Node makes in a third of the time that it takes for a Buffer. */
export const sha256 = (data: Bytes): Buffer => Buffer.from(hash('sha256', data, 'hex'), 'hex');

export const sha256Base64url = (data: Bytes): string => hash('sha256', data, 'base64url');

/** HMAC-SHA-256 (RFC 2104) over parts that are prefixed with their length, so that no two lists of parts give the same input. */
export const hmac = (key: Buffer, ...parts: readonly Bytes[]): Buffer => {
  const views = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : bytesOf(part)));
  const input = Buffer.allocUnsafe(views.reduce((size, view) => size + LENGTH_BYTES + view.byteLength, 0));
  let at = 0;
  for (const view of views) {
    at = input.writeUInt32BE(view.byteLength, at);
    input.set(view, at);
    at += view.byteLength;
  }
  // One update: each call into OpenSSL costs about as much as hashing a short part.
  return Buffer.from(createHmac('sha256', secretKey(key)).update(input).digest('hex'), 'hex');
};

const LENGTH_BYTES = 4;

const bytesOf = ({ buffer, byteOffset, byteLength }: NodeJS.ArrayBufferView): Uint8Array => new Uint8Array(buffer, byteOffset, byteLength);

/** Compares in a time that depends on the lengths only. */
export const constantTimeEqual = (a: NodeJS.ArrayBufferView, b: NodeJS.ArrayBufferView): boolean =>
  a.byteLength === b.byteLength && timingSafeEqual(a, b);
