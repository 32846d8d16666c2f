import type { DeviceId, DomainEvent } from '#kernel';

/** The facts of the stream `identity-<identityId>`: no personal data. Times in epoch milliseconds. */
export type IdentityEvent =
  | DomainEvent<'IdentityRegistered', { readonly at: number }>
  /** The event's id names the grant; the code is derived from it and stored nowhere. */
  | DomainEvent<'ActivationCodeIssued', { readonly at: number; readonly expiresAt: number }>
  /** Uses the grant up. */
  | DomainEvent<'DeviceAdded', { readonly at: number; readonly deviceId: DeviceId; readonly grantId: string }>
  /** From here on the person is gone; what is stored of them follows. */
  | DomainEvent<'IdentityErased', { readonly at: number }>
  | DomainEvent<'ErasureCompleted', { readonly at: number }>;
