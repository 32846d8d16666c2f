import type { ClientId } from '#kernel';

import type { WebhookEndpoint } from './webhook-endpoint.js';

/** What an administrator decides about a client. */
export type ClientTerms = {
  /** What people see on their phone. Unique, whatever its case. */
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly allowedAttributes: readonly string[];
  readonly allowedPredicates: readonly string[];
  readonly dynamicQr: boolean;
};

/** A relying party as the rest of the service knows it. */
export interface Client extends ClientTerms {
  readonly clientId: ClientId;
}

export type ClientState =
  | { readonly status: 'NONE' }
  | { readonly status: 'REGISTERED'; readonly terms: ClientTerms; readonly secretHash: string; readonly endpoints: readonly WebhookEndpoint[] };
