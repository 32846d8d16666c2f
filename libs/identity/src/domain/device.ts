import type { JsonWebKey } from 'node:crypto';

import type { DeviceId, IdentityId, SessionId } from '#kernel';

import type { PinState } from './pin-ladder.js';

/** What a decision about a device needs. */
export type DeviceState =
  | { readonly status: 'NONE' }
  | { readonly status: 'ENROLLED'; readonly pin: PinState }
  | { readonly status: 'REVOKED' };

/** A device as the rest of the service sees it now. */
export interface Device {
  readonly deviceId: DeviceId;
  readonly identityId: IdentityId;
  /** REVOKED also when its person was erased. */
  readonly status: 'ACTIVE' | 'LOCKED' | 'REVOKED';
  /** When LOCKED: epoch milliseconds; absent when only a new enrolment ends the lock. */
  readonly lockedUntil?: number;
  /** When LOCKED: the session whose wrong PINs locked it, which is to be cancelled. */
  readonly lockedBy?: SessionId;
  /** Public key, P-256 (RFC 7517). */
  readonly authenticationKey: JsonWebKey;
}
