import type { DomainEvent } from '#kernel';

import type { ClientTerms } from './client.js';

/** The facts of the stream `client-<clientId>`. Times in epoch milliseconds. */
export type ClientEvent =
  | DomainEvent<'ClientRegistered', ClientTerms & { readonly at: number }>
  /** Only what changed. */
  | DomainEvent<'ClientChanged', { readonly at: number; readonly changes: Partial<ClientTerms> }>
  /** Every secret before it is dead. `secretHash` is the base64url SHA-256 of the secret's text. */
  | DomainEvent<'SecretIssued', { readonly at: number; readonly secretHash: string }>;
