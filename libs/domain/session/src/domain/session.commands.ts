import type { ClientId, DeviceId, IdentityId, SubjectId } from '#kernel';

import type { ReadFrame } from './qr-frames.js';
import type { CancelReason, ScanVia, SessionTerms } from './session.events.js';

/** Every command carries the time of its decision, `now`, in epoch milliseconds. */
export type SessionCommand =
  | CreateSession
  | ClaimHandoff
  | SupersedeLogin
  | ScanSession
  | RecordRefusedScan
  | ConfirmSession
  | CancelSession
  | FinishSigning
  | AbandonSigning
  | EndOfDevice
  | CompleteSession
  | FinishByNumber
  | RedeemCode
  | ExpireIfDue;

export interface CreateSession {
  readonly type: 'CreateSession';
  readonly terms: SessionTerms;
  /** Of a request with an `Idempotency-Key`. */
  readonly requestDigest?: string;
  readonly now: number;
}

export interface ClaimHandoff {
  readonly type: 'ClaimHandoff';
  /** The facts about the claiming browser. */
  readonly sealed?: string;
  readonly now: number;
}

export interface SupersedeLogin {
  readonly type: 'SupersedeLogin';
  readonly now: number;
}

export interface ScanSession {
  readonly type: 'ScanSession';
  readonly deviceId: DeviceId;
  readonly identityId: IdentityId;
  readonly certificateHash?: string;
  readonly via?: ScanVia;
  /** Of a code that changes each second. */
  readonly frame?: ReadFrame;
  /** The device has brought a fresh frame before, so it needs no other one. */
  readonly admitted?: true;
  /** The device's owner, as the session's client may call this person. */
  readonly subjectIds: readonly SubjectId[];
  readonly sealed: string;
  readonly now: number;
}

export interface RecordRefusedScan {
  readonly type: 'RecordRefusedScan';
  /** See {@link RefusedDevices}. */
  readonly deviceHash: string;
  readonly now: number;
}

/** Follows the check of PIN and signature. `codeTtl` and `buildTtl` in milliseconds. */
export interface ConfirmSession {
  readonly type: 'ConfirmSession';
  readonly deviceId: DeviceId;
  /** AUTHENTICATION. */
  readonly signature?: string;
  readonly codeTtl: number;
  readonly buildTtl: number;
  readonly now: number;
}

export interface CancelSession {
  readonly type: 'CancelSession';
  readonly by: { readonly clientId: ClientId } | { readonly deviceId: DeviceId };
  readonly reason: CancelReason;
  readonly now: number;
}

/** The result of a signing session is stored. `resultTtl` in milliseconds. */
export interface FinishSigning {
  readonly type: 'FinishSigning';
  readonly resultTtl: number;
  readonly now: number;
}

/** No container can be built: the certificate is revoked, for instance, or the person was erased. */
export interface AbandonSigning {
  readonly type: 'AbandonSigning';
  readonly reason: Extract<CancelReason, 'SIGNING_FAILED' | 'ERASED'>;
  /** The rule that the container breaks, for operators; holds no personal data. */
  readonly finding?: string;
  readonly now: number;
}

/** The phone that has taken the session can approve nothing any more. */
export interface EndOfDevice {
  readonly type: 'EndOfDevice';
  readonly deviceId: DeviceId;
  readonly reason: Extract<CancelReason, 'DEVICE_REVOKED' | 'ERASED'>;
  readonly now: number;
}

export interface CompleteSession {
  readonly type: 'CompleteSession';
  /** Whether the browser on the hosted page brings the session's return token. Absent: the client itself completes. */
  readonly returned?: boolean;
  readonly now: number;
}

/** The browser on the hosted page brings a number. */
export interface FinishByNumber {
  readonly type: 'FinishByNumber';
  /** Whether it is the number that the phone shows. */
  readonly right: boolean;
  readonly now: number;
}

export interface RedeemCode {
  readonly type: 'RedeemCode';
  readonly clientId: ClientId;
  /** Derived from the verifier that the client sent (RFC 7636 section 4.6). Absent: it sent none. */
  readonly codeChallenge?: string | undefined;
  /** At the token endpoint of OpenID Connect: the redirect URI that the client sent (RFC 6749 section 4.1.3), and the thumbprint of the key that it has proved (RFC 9449). */
  readonly openid?: { readonly redirectUri: string | undefined; readonly jkt?: string | undefined };
  /** In place of a code: the client has proved the id of its request. */
  readonly backchannel?: true;
  readonly now: number;
}

/** Records the end of a session whose deadline has passed. */
export interface ExpireIfDue {
  readonly type: 'ExpireIfDue';
  readonly now: number;
}
