import type { DeviceId } from '#kernel';

/** A permission to enrol one device. Its id is the id of the event that granted it. */
export interface ActivationGrant {
  readonly id: string;
  readonly expiresAt: number;
  readonly used: boolean;
  /** Whether it was issued under the rules for members of the portal. */
  readonly forMember: boolean;
  /** Who has issued it, and who has approved that: `person:` and the identityId of a person of the portal, the id of a token, or `first-start`. */
  readonly by: readonly string[];
}

/** When a phone became a person's, and by whose activation code. */
export interface PhoneOrigin {
  readonly deviceId: DeviceId;
  /** Epoch milliseconds. */
  readonly enrolledAt: number;
  /** {@link ActivationGrant.by}. */
  readonly enrolledBy: readonly string[];
}

export type Identity =
  | { readonly status: 'NONE' }
  | {
      readonly status: 'REGISTERED';
      readonly grants: readonly ActivationGrant[];
      readonly devices: readonly DeviceId[];
      readonly origins: readonly PhoneOrigin[];
    }
  | {
      readonly status: 'ERASED';
      /** Epoch milliseconds. */
      readonly erasedAt: number;
      readonly devices: readonly DeviceId[];
      /** Everything is erased but the sessions. */
      readonly complete: boolean;
      readonly sessionsErased: boolean;
    };
