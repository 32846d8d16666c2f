import { isUtf8 } from 'node:buffer';

import { type ClientId, fromBase64, parseId } from '#kernel';

export interface BasicCredentials {
  readonly clientId: ClientId;
  readonly clientSecret: string;
}

const HEADER = /^basic +([a-z0-9+/]+={0,2}) *$/i;

/**
 * RFC 7617: standard base64 of `client_id:client_secret` in UTF-8, where the client_id is a UUID. Undefined for any other header.
 */
export const parseBasicCredentials = (header: string | undefined): BasicCredentials | undefined => {
  const encoded = HEADER.exec(header ?? '')?.[1];
  const bytes = encoded === undefined ? undefined : fromBase64(encoded);
  if (!bytes) return undefined;
  const pair = isUtf8(bytes) ? bytes.toString('utf8') : undefined;
  const colon = pair?.indexOf(':') ?? -1;
  if (pair === undefined || colon < 0) return undefined;
  const clientId = parseId<ClientId>(pair.slice(0, colon));
  return clientId && { clientId, clientSecret: pair.slice(colon + 1) };
};
