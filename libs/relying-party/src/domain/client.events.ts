import type { DomainEvent, EndpointId } from '#kernel';

import type { ClientTerms } from './client.js';
import type { WebhookTerms } from './webhook-endpoint.js';

/** The facts of the stream `client-<clientId>`. Times in epoch milliseconds. */
export type ClientEvent =
  | DomainEvent<'ClientRegistered', ClientTerms & { readonly at: number }>
  /** Only what changed. */
  | DomainEvent<'ClientChanged', { readonly at: number; readonly changes: Partial<ClientTerms> }>
  /** Every secret before it is dead. `secretHash` is the base64url SHA-256 of the secret's text. */
  | DomainEvent<'SecretIssued', { readonly at: number; readonly secretHash: string }>
  /** `sealedSecret`: encrypted in the context of the endpoint's id. */
  | DomainEvent<'WebhookEndpointAdded', WebhookTerms & { readonly at: number; readonly endpointId: EndpointId; readonly sealedSecret: string }>
  /** Only what changed. */
  | DomainEvent<'WebhookEndpointChanged', { readonly at: number; readonly endpointId: EndpointId; readonly changes: Partial<WebhookTerms> }>
  | DomainEvent<'WebhookEndpointRemoved', { readonly at: number; readonly endpointId: EndpointId }>
  /** The secret before it still signs until `previousUntil`; every older one is dead. */
  | DomainEvent<'WebhookSecretRotated', { readonly at: number; readonly endpointId: EndpointId; readonly sealedSecret: string; readonly previousUntil: number }>;
