import type { DeviceId } from '#kernel';

/** A permission to enrol one device. It is named by the id of the event that granted it. */
export interface ActivationGrant {
  readonly id: string;
  readonly expiresAt: number;
  readonly used: boolean;
}

export type Identity =
  | { readonly status: 'NONE' }
  | { readonly status: 'REGISTERED'; readonly grants: readonly ActivationGrant[]; readonly devices: readonly DeviceId[] }
  | { readonly status: 'ERASED'; readonly complete: boolean };
