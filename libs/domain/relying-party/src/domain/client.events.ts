import { type DomainEvent, type EndpointId, knownEvents } from '#kernel';

import type { ClientTerms, ConsentTerms } from './client.js';
import type { UnconfirmedBecause, WebhookTerms } from './webhook-endpoint.js';

/** The events of the stream `client-<clientId>`. Times are epoch milliseconds. */
export type ClientEvent =
  | DomainEvent<'ClientRegistered', ClientTerms & { readonly at: number }>
  /** Carries the changed members only. */
  | DomainEvent<'ClientChanged', { readonly at: number; readonly changes: Partial<ClientTerms> }>
  /** A member's change, which takes effect when it is accepted. Replaces the one that waited. */
  | DomainEvent<'ClientChangeAsked', { readonly at: number; readonly by: string; readonly changeId: string; readonly changes: Partial<ConsentTerms> }>
  /** The ClientChanged of the same append has the terms. */
  | DomainEvent<'ClientChangeAccepted', { readonly at: number; readonly by: string; readonly changeId: string }>
  | DomainEvent<'ClientChangeRefused', { readonly at: number; readonly by: string; readonly changeId: string }>
  | DomainEvent<'ClientChangeWithdrawn', { readonly at: number; readonly by: string; readonly changeId: string }>
  /** Replaces every earlier secret. `secretHash`: base64url of the SHA-256 of the secret's text. */
  | DomainEvent<'SecretIssued', { readonly at: number; readonly secretHash: string }>
  /** Nothing is accepted from the client until it is enabled. */
  | DomainEvent<'ClientDisabled', { readonly at: number }>
  | DomainEvent<'ClientEnabled', { readonly at: number }>
  /** The last event of the stream, unless the client is the service's own. The webhook endpoints were removed in the same append. */
  | DomainEvent<'ClientDeleted', { readonly at: number }>
  /**
   * `sealedSecret`: the secret, encrypted with the endpoint's id as context. `proofId`: nothing is sent until the receiver has proved that it verifies
   * signatures.
   */
  | DomainEvent<
      'WebhookEndpointAdded',
      WebhookTerms & { readonly at: number; readonly endpointId: EndpointId; readonly sealedSecret: string; readonly proofId: string }
    >
  /** Carries the changed members only. `proofId`: as in WebhookEndpointAdded, after a change of the address. */
  | DomainEvent<
      'WebhookEndpointChanged',
      { readonly at: number; readonly endpointId: EndpointId; readonly changes: Partial<WebhookTerms>; readonly proofId?: string }
    >
  /** The receiver has proved that it verifies signatures. Messages are sent from now on. */
  | DomainEvent<'WebhookEndpointConfirmed', { readonly at: number; readonly endpointId: EndpointId }>
  /** A try has proved nothing, for another reason than the try before. */
  | DomainEvent<'WebhookProofFailed', { readonly at: number; readonly endpointId: EndpointId; readonly because: UnconfirmedBecause }>
  | DomainEvent<'WebhookEndpointRemoved', { readonly at: number; readonly endpointId: EndpointId }>
  /** The previous secret still signs until `previousUntil`. Every older secret is invalid. */
  | DomainEvent<
      'WebhookSecretRotated',
      { readonly at: number; readonly endpointId: EndpointId; readonly sealedSecret: string; readonly previousUntil: number }
    >;

export const CLIENT_EVENTS = knownEvents<ClientEvent>(1, {
  ClientRegistered: true,
  ClientChanged: true,
  ClientChangeAsked: true,
  ClientChangeAccepted: true,
  ClientChangeRefused: true,
  ClientChangeWithdrawn: true,
  SecretIssued: true,
  ClientDisabled: true,
  ClientEnabled: true,
  ClientDeleted: true,
  WebhookEndpointAdded: true,
  WebhookEndpointChanged: true,
  WebhookEndpointConfirmed: true,
  WebhookProofFailed: true,
  WebhookEndpointRemoved: true,
  WebhookSecretRotated: true,
});
