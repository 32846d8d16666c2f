import type { DeviceId } from '#kernel';

/** A permission to enrol one device. Its id is the id of the event that granted it. */
export interface ActivationGrant {
  readonly id: string;
  readonly expiresAt: number;
  readonly used: boolean;
  /** Whether it was issued under the rules for members of the portal. */
  readonly forMember: boolean;
}

export type Identity =
  | { readonly status: 'NONE' }
  | { readonly status: 'REGISTERED'; readonly grants: readonly ActivationGrant[]; readonly devices: readonly DeviceId[] }
  | {
      readonly status: 'ERASED';
      /** Epoch milliseconds. */
      readonly erasedAt: number;
      readonly devices: readonly DeviceId[];
      /** Everything is erased but the sessions. */
      readonly complete: boolean;
      readonly sessionsErased: boolean;
    };
