import type { ClientId, DeviceId, IdentityId, SubjectId } from '#kernel';

import type { CancelReason, SessionCreated } from './session.events.js';

/** Every command brings the time it is decided at, in epoch milliseconds. */
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
  | CompleteSession
  | RedeemCode
  | LetTimePass;

export interface CreateSession {
  readonly type: 'CreateSession';
  readonly terms: Omit<SessionCreated['data'], 'at'>;
  readonly now: number;
}

export interface ClaimHandoff {
  readonly type: 'ClaimHandoff';
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
  /** What the session's client knows the device's owner as. */
  readonly subjectId: SubjectId;
  readonly sealed: string;
  readonly now: number;
}

export interface RecordRefusedScan {
  readonly type: 'RecordRefusedScan';
  readonly deviceId: DeviceId;
  readonly now: number;
}

/** Comes after the PIN was accepted and the signature verified. */
export interface ConfirmSession {
  readonly type: 'ConfirmSession';
  readonly deviceId: DeviceId;
  readonly signature: string;
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

/** The result of a signing session lies where it can be fetched. `resultTtl` in milliseconds. */
export interface FinishSigning {
  readonly type: 'FinishSigning';
  readonly resultTtl: number;
  readonly now: number;
}

/** There will be no container: the certificate is revoked, say, or the person was erased. */
export interface AbandonSigning {
  readonly type: 'AbandonSigning';
  readonly reason: Extract<CancelReason, 'SIGNING_FAILED' | 'ERASED'>;
  readonly now: number;
}

export interface CompleteSession {
  readonly type: 'CompleteSession';
  readonly now: number;
}

export interface RedeemCode {
  readonly type: 'RedeemCode';
  readonly clientId: ClientId;
  /** Derived from the verifier that the client sent (RFC 7636 section 4.6). */
  readonly codeChallenge: string;
  readonly now: number;
}

export interface LetTimePass {
  readonly type: 'LetTimePass';
  readonly now: number;
}
