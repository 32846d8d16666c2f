import type { DomainEvent, IdentityId, SessionId } from '#kernel';

import type { PinState } from './pin-ladder.js';

/** A public P-256 key (RFC 7518 section 6.2.1). */
export type AuthenticationKey = { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string };

export type Enrolment = {
  readonly at: number;
  readonly identityId: IdentityId;
  readonly authenticationKey: AuthenticationKey;
  /** Of the signing key's certificate, hex. The certificate itself names the person and lies in `identitydata-*`. */
  readonly certificateSerial: string;
  readonly pin: PinState;
};

/** The facts of the stream `device-<deviceId>`: no personal data. Each that tells of the PIN carries all of its state. Times in epoch milliseconds. */
export type DeviceEvent =
  | DomainEvent<'DeviceEnrolled', Enrolment>
  | DomainEvent<'PinAccepted', { readonly at: number; readonly sessionId: SessionId; readonly pin: PinState }>
  | DomainEvent<'PinFailed', { readonly at: number; readonly sessionId: SessionId; readonly pin: PinState }>
  | DomainEvent<'DeviceLocked', { readonly at: number; readonly sessionId: SessionId; readonly pin: PinState }>
  | DomainEvent<'DeviceRevoked', { readonly at: number }>;
