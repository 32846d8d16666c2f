import type { JsonWebKey } from 'node:crypto';

import type { DeviceId, IdentityId, SessionId } from '#kernel';

import type { PinState } from './pin-ladder.js';

/** The state that a decision about a device needs. */
export type DeviceState = { readonly status: 'NONE' } | { readonly status: 'ENROLLED'; readonly pin: PinState } | { readonly status: 'REVOKED' };

/** A device as the other libraries see it. */
export interface Device {
  readonly deviceId: DeviceId;
  readonly identityId: IdentityId;
  /** Also REVOKED once its person is erased. */
  readonly status: 'ACTIVE' | 'LOCKED' | 'REVOKED';
  /** Epoch milliseconds, only when LOCKED. Absent when only a new enrolment ends the lock. */
  readonly lockedUntil?: number;
  /** Only when LOCKED: the session whose wrong PINs locked the device. That session has to be cancelled. */
  readonly lockedBy?: SessionId;
  /** Public key, P-256 (RFC 7517). */
  readonly authenticationKey: JsonWebKey;
}
