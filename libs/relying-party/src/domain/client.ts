import type { ClientId } from '#kernel';

import type { WebhookEndpoint } from './webhook-endpoint.js';

/** The terms of a client, set by an administrator. */
export type ClientTerms = {
  /** The name that people see on their phone. Unique without regard to case. */
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly allowedAttributes: readonly string[];
  readonly allowedPredicates: readonly string[];
  readonly dynamicQr: boolean;
  /** Whether pushed sessions without the hosted page have a code to choose on the phone. Absent: no. */
  readonly verificationCode?: boolean;
};

/** A relying party as the other libraries see it. */
export interface Client extends ClientTerms {
  readonly clientId: ClientId;
  /** False: staff has disabled it; nothing is accepted from it (specification/admin.md#disabled-clients). */
  readonly enabled: boolean;
}

export type ClientState =
  | { readonly status: 'NONE' }
  | { readonly status: 'DELETED'; readonly terms: ClientTerms }
  | {
      readonly status: 'REGISTERED';
      readonly terms: ClientTerms;
      readonly secretHash: string;
      readonly enabled: boolean;
      readonly endpoints: readonly WebhookEndpoint[];
    };
