import { type DeviceId, type DomainEvent, knownEvents } from '#kernel';

/** The events of the stream `identity-<identityId>`. They hold no personal data. Times are epoch milliseconds. */
export type IdentityEvent =
  | DomainEvent<'IdentityRegistered', { readonly at: number }>
  /**
   * The event's id is the grant's id. The activation code is derived from it and never stored. `forMember`: the person was a member of the portal, and the code
   * was issued under the rules for members. `by`: who has issued it, and who has approved that: `person:` and the identityId of a person of the portal, the id of a token, or `first-start`.
   */
  | DomainEvent<
      'ActivationCodeIssued',
      { readonly at: number; readonly expiresAt: number; readonly forMember?: true; readonly by?: readonly string[] }
    >
  /** Consumes the grant. */
  | DomainEvent<'DeviceAdded', { readonly at: number; readonly deviceId: DeviceId; readonly grantId: string }>
  /**
   * The person counts as erased from this event on. The stored data is erased after it. `by`: the administrator who asked, the id of a token or the subjectId
   * at the portal; absent where the list of erasures led to it.
   */
  | DomainEvent<'IdentityErased', { readonly at: number; readonly by?: string }>
  /** Everything of the person is erased but the sessions, whose clients may still ask for their status. */
  | DomainEvent<'ErasureCompleted', { readonly at: number }>
  /** The person's sessions are erased too. */
  | DomainEvent<'SessionsErased', { readonly at: number }>;

export const IDENTITY_EVENTS = knownEvents<IdentityEvent>(1, {
  IdentityRegistered: true,
  ActivationCodeIssued: true,
  DeviceAdded: true,
  IdentityErased: true,
  ErasureCompleted: true,
  SessionsErased: true,
});
