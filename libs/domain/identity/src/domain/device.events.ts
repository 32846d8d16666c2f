import { type DeviceId, type DomainEvent, type IdentityId, type SessionId, knownEvents } from '#kernel';

import type { PinState } from './pin-ladder.js';

/** A public P-256 key (RFC 7518 section 6.2.1). */
export type AuthenticationKey = { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string };

export type Enrolment = {
  readonly at: number;
  readonly identityId: IdentityId;
  readonly authenticationKey: AuthenticationKey;
  /**
   * Serial number of the signing key's certificate, lower-case hex. The certificate names the person and is stored in `identitydata-*`.
   * Absent of a device that was enrolled without a certificate.
   */
  readonly certificateSerial?: string;
  readonly pin: PinState;
};

export type DeviceEnrolled = DomainEvent<'DeviceEnrolled', Enrolment>;

/** The events of the stream `device-<deviceId>`. They hold no personal data. Every PIN event carries the whole PIN state. Times are epoch milliseconds. */
export type DeviceEvent =
  | DeviceEnrolled
  | DomainEvent<'PinAccepted', { readonly at: number; readonly sessionId: SessionId; readonly pin: PinState }>
  | DomainEvent<'PinFailed', { readonly at: number; readonly sessionId: SessionId; readonly pin: PinState }>
  | DomainEvent<'DeviceLocked', { readonly at: number; readonly sessionId: SessionId; readonly pin: PinState }>
  /** `by`: the device of the same person that revoked it. Absent: an administrator did. */
  | DomainEvent<'DeviceRevoked', { readonly at: number; readonly by?: DeviceId }>
  | DeviceCompacted;

/** The whole state of an enrolled device. The events before it are erased, so that a stream does not grow with logins. */
export type DeviceCompacted = DomainEvent<'DeviceCompacted', Enrolment & { readonly compactedAt: number }>;

export const DEVICE_EVENTS = knownEvents<DeviceEvent>(1, {
  DeviceEnrolled: true,
  PinAccepted: true,
  PinFailed: true,
  DeviceLocked: true,
  DeviceRevoked: true,
  DeviceCompacted: true,
});
