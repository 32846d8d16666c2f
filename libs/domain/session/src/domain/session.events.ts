import { type ClientId, type DeviceId, type IdentityId, knownEvents, type SubjectId } from '#kernel';
import type { RequestedProperties } from '#domain/relying-party';

/*
 * The events of `session-<uuid>`. Stored names and shapes never change: add an optional member, or a new event with
 * an upcast. All times are epoch milliseconds. `sealed` members are encrypted (see sealed-terms.ts); nothing else
 * here is secret or personal.
 */

/** The terms of a session, as the client requested them. They never change. */
export type SessionTerms = {
  readonly clientId: ClientId;
  readonly signatureType: SignatureType;
  readonly redirectUri?: string;
  /** RFC 7636 section 4.2, method S256. */
  readonly codeChallenge?: string;
  readonly subjectId?: SubjectId;
  readonly pushStatus: PushStatus;
  readonly requested?: RequestedProperties;
  /** The QR code changes each second: a scan needs one of its frames. */
  readonly dynamicQr?: true;
  /** A pushed session whose waiting page shows a code that the person chooses on the phone ({@link VerificationCodes}). */
  readonly verificationCode?: true;
  /** A hosted login that was opened by a link may be finished by a number ({@link FinishNumbers}). */
  readonly finishByNumber?: true;
  /** Begun through OpenID Connect: only its token endpoint takes the code, and the redirect names the issuer ({@link OpenIdTerms}). */
  readonly issuer?: true;
  /** The code is redeemed with a proof of a key alone (RFC 9449). `jkt`: the thumbprint of that key, where the request named it. */
  readonly dpop?: { readonly jkt?: string };
  /** Begun without a browser: its client asks for the tokens by the id of the request, and there is no code (OpenID Connect CIBA Core). */
  readonly backchannel?: true;
  /** The token answer carries what proves the login ({@link LoginEvidence}). */
  readonly evidence?: true;
  /** Only with the hosted page: until when the handoff token can be claimed. */
  readonly handoffExpiresAt?: number;
  /** {@link SealedTerms}. */
  readonly sealed: string;
  readonly expiresAt: number;
};

export type SessionCreated = {
  readonly type: 'SessionCreated';
  readonly data: SessionTerms & {
    readonly at: number;
    /** Keyed digest of the request, base64url, when the request had an `Idempotency-Key`. */
    readonly requestDigest?: string;
  };
};

export type HandoffClaimed = {
  readonly type: 'HandoffClaimed';
  readonly data: {
    /** {@link SealedPage}. Absent when nothing is known about the browser. */
    readonly sealed?: string;
    readonly at: number;
  };
};

/** Another hosted login began in the same browser and closed the hosted endpoints of this one. */
export type LoginSuperseded = { readonly type: 'LoginSuperseded'; readonly data: { readonly at: number } };

export type SessionScanned = {
  readonly type: 'SessionScanned';
  readonly data: {
    readonly deviceId: DeviceId;
    readonly identityId: IdentityId;
    /** SIGNING: base64url of the SHA-256 of the signing certificate, which is stored with the person's data. */
    readonly certificateHash?: string;
    /** How the phone came to the session (specification/login-ui.md#logins-opened-by-a-link). Absent: by the QR code. */
    readonly via?: ScanVia;
    readonly sealed: string;
    readonly at: number;
  };
};

/** A device of another subject scanned the session; recorded once per device, for the timeline. */
export type ScanRefused = {
  readonly type: 'ScanRefused';
  readonly data: {
    /** See {@link RefusedDevices}. The session is another person's: it must hold nothing of the device when that is erased. */
    readonly deviceHash: string;
    readonly at: number;
  };
};

/** The PIN was right and the signature verified. AUTHENTICATION: from here on an authorization code exists. */
export type SessionConfirmed = {
  readonly type: 'SessionConfirmed';
  readonly data: {
    /** AUTHENTICATION: the device's signature over `toBeSigned`, base64, IEEE P1363. SIGNING: stored with the result. */
    readonly signature?: string;
    /** AUTHENTICATION. */
    readonly codeExpiresAt?: number;
    /** SIGNING: until when the container must be built. */
    readonly buildExpiresAt?: number;
    readonly at: number;
  };
};

/** AUTHENTICATION: the redirect was handed out. SIGNING: the result can be fetched, until `resultExpiresAt`. */
export type SessionCompleted = {
  readonly type: 'SessionCompleted';
  readonly data: {
    readonly resultExpiresAt?: number;
    /** By the number that the phone showed (specification/login-ui.md#finishing-by-a-number). Absent: as ever. */
    readonly finishedBy?: FinishedBy;
    readonly at: number;
  };
};

/** Another number was typed on the hosted page than the phone showed: the login is not finished any more. */
export type NumberRefused = { readonly type: 'NumberRefused'; readonly data: { readonly at: number } };

/** Hosted SIGNING: the redirect was handed out. */
export type RedirectIssued = { readonly type: 'RedirectIssued'; readonly data: { readonly at: number } };

export type SessionCancelled = {
  readonly type: 'SessionCancelled';
  /** `finding`: why no container could be built, for operators. */
  readonly data: { readonly reason: CancelReason; readonly finding?: string; readonly at: number };
};

/** `at` is the session's deadline; the event may be recorded much later. */
export type SessionExpired = { readonly type: 'SessionExpired'; readonly data: { readonly at: number } };

/** `jkt`: the thumbprint of the key (RFC 7638) that the access token is bound to. */
export type CodeRedeemed = { readonly type: 'CodeRedeemed'; readonly data: { readonly at: number; readonly jkt?: string } };

export type SessionEvent =
  | SessionCreated
  | HandoffClaimed
  | LoginSuperseded
  | SessionScanned
  | ScanRefused
  | SessionConfirmed
  | SessionCompleted
  | NumberRefused
  | RedirectIssued
  | SessionCancelled
  | SessionExpired
  | CodeRedeemed;

/**
 * Version 2: a signature's statement and signature value are stored with its result. Version 3: the session was begun through OpenID Connect, so that a release without it decides
 * nothing on it. Version 4: its access token is bound to a key, so that a release which knows no such tokens gives out none ({@link versionOf}).
 */
export const SESSION_EVENTS = knownEvents<SessionEvent>(4, {
  SessionCreated: true,
  HandoffClaimed: true,
  LoginSuperseded: true,
  SessionScanned: true,
  ScanRefused: true,
  SessionConfirmed: true,
  SessionCompleted: true,
  NumberRefused: true,
  RedirectIssued: true,
  SessionCancelled: true,
  SessionExpired: true,
  CodeRedeemed: true,
});

/** The version of the events of a session with these terms: an older release goes on with all others. `jkt`: of the redemption. */
export const versionOf = ({ issuer, dpop }: Pick<SessionTerms, 'issuer' | 'dpop'>, jkt?: string): number => {
  if (dpop || jkt !== undefined) return 4;
  return issuer ? 3 : 2;
};

export type ScanVia = 'link' | 'push';

export type FinishedBy = 'number';

export type SignatureType = 'AUTHENTICATION' | 'SIGNING';

export type PushStatus = 'NOT_REQUESTED' | 'DISPATCHED' | 'NO_DEVICE';

/** Identity attributes and predicates, by the names of the request. */
/**
 * DECLINED, LEFT: the user. WRONG_CODE: the user chose another code than the waiting page shows. PIN_LOCKED: wrong PINs locked the device. WITHDRAWN: the relying party, or the user on its hosted page. SIGNING_FAILED: no
 * container could be built in time. ERASED: the person was erased. DEVICE_REVOKED: the phone that had taken the session was revoked.
 */
export type CancelReason = 'DECLINED' | 'LEFT' | 'WRONG_CODE' | 'PIN_LOCKED' | 'WITHDRAWN' | 'SIGNING_FAILED' | 'ERASED' | 'DEVICE_REVOKED';
