import type { Brand } from './brand.js';

export type SessionId = Brand<string, 'SessionId'>;
export type ClientId = Brand<string, 'ClientId'>;
export type IdentityId = Brand<string, 'IdentityId'>;
export type DeviceId = Brand<string, 'DeviceId'>;
/** Pairwise: one person has one for each client, and nobody can link two of them. */
export type SubjectId = Brand<string, 'SubjectId'>;
/** A webhook endpoint of a client. */
export type EndpointId = Brand<string, 'EndpointId'>;
export type EventId = Brand<string, 'EventId'>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The id in its canonical lower case (RFC 9562 section 4), or undefined when the text is no UUID. */
export const parseId = <Id extends Brand<string, string>>(text: unknown): Id | undefined =>
  typeof text === 'string' && UUID.test(text) ? (text.toLowerCase() as Id) : undefined;
