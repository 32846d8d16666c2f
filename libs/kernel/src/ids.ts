import { hash } from 'node:crypto';

import type { Brand } from './brand.js';

export type SessionId = Brand<string, 'SessionId'>;
export type ClientId = Brand<string, 'ClientId'>;
export type IdentityId = Brand<string, 'IdentityId'>;
export type DeviceId = Brand<string, 'DeviceId'>;
/** Pairwise: one person has one for each client, and two of them cannot be linked. */
export type SubjectId = Brand<string, 'SubjectId'>;
/** A webhook endpoint of a client. */
export type EndpointId = Brand<string, 'EndpointId'>;
export type EventId = Brand<string, 'EventId'>;

/** A UUIDv8 (RFC 9562 §5.8) of the first 16 bytes, of which 122 bits remain. For ids that are derived from a key. */
export const uuidOf = <Id extends Brand<string, string>>(bytes: Uint8Array): Id => {
  const id = Buffer.from(bytes.subarray(0, 16));
  id.writeUInt8((id.readUInt8(6) & 0x0f) | 0x80, 6);
  id.writeUInt8((id.readUInt8(8) & 0x3f) | 0x80, 8);
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') as Id;
};

/**
 * The UUIDv5 (RFC 9562 §5.5) of a name in a namespace, which is a UUID. Every stored event has such an id, and the package `uuid` takes six times as long
 * to make it.
 */
export const uuidOfName = <Id extends Brand<string, string>>(name: string, namespace: string): Id => {
  const hex = hash('sha1', Buffer.concat([Buffer.from(namespace.replaceAll('-', ''), 'hex'), Buffer.from(name)]), 'hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}` as Id;
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The id in its canonical lower case (RFC 9562 section 4), or undefined when the text is no UUID. */
export const parseId = <Id extends Brand<string, string>>(text: unknown): Id | undefined =>
  typeof text === 'string' && UUID.test(text) ? (text.toLowerCase() as Id) : undefined;
