import type { DeviceId, IdentityId } from '#kernel';

import type { CancelReason, FinishedBy, ScanVia, SessionTerms } from './session.events.js';

/** One shape for each status (specification/sessions.md#statuses). Times are epoch milliseconds. */
export type Session =
  | { readonly status: 'NONE' }
  | (Begun & { readonly status: 'PENDING' })
  | (Begun & { readonly status: 'SCANNED'; readonly scan: Scan; readonly approval?: Approval })
  | (Begun & { readonly status: 'CONFIRMED'; readonly scan: Scan; readonly grant: Grant })
  | (Begun & { readonly status: 'COMPLETED'; readonly scan: Scan; readonly grant: Grant; readonly endedAt: number })
  | (Begun & { readonly status: 'COMPLETED'; readonly scan: Scan; readonly result: Result; readonly endedAt: number })
  | (Begun & { readonly status: 'CANCELLED'; readonly scan?: Scan; readonly reason: CancelReason; readonly endedAt: number })
  | (Begun & { readonly status: 'EXPIRED'; readonly scan?: Scan; readonly endedAt: number });

export type SessionStatus = Exclude<Session['status'], 'NONE'>;

export const SESSION_STATUSES: ReadonlySet<unknown> = new Set<SessionStatus>([
  'PENDING',
  'SCANNED',
  'CONFIRMED',
  'COMPLETED',
  'CANCELLED',
  'EXPIRED',
]);

export type StartedSession = Exclude<Session, { status: 'NONE' }>;

interface Begun {
  readonly terms: SessionTerms;
  readonly createdAt: number;
  /** Of the request that created the session, when it had an `Idempotency-Key`. */
  readonly requestDigest?: string;
  /** Of SessionCreated, from which the handoff token is derived. */
  readonly createdEventId: string;
  readonly login?: HostedLogin;
  /** Only for a hosted login: the facts about the browser that claimed it, sealed ({@link SealedPage}). */
  readonly waitingPage?: string;
  /** Hashes of the devices whose scan was refused, as far as recorded. */
  readonly refused: readonly string[];
}

/** A browser holds the login cookie of this session. */
export interface HostedLogin {
  /** Of HandoffClaimed, from which the cookie is derived. */
  readonly eventId: string;
  readonly superseded: boolean;
}

export interface Scan {
  /** Of SessionScanned, from which the return token is derived. */
  readonly eventId: string;
  readonly deviceId: DeviceId;
  readonly identityId: IdentityId;
  readonly certificateHash?: string;
  readonly via?: ScanVia;
  readonly sealed: string;
}

/** SIGNING: the PIN was accepted and the container is being built. The status stays SCANNED. */
export interface Approval {
  readonly expiresAt: number;
}

/** SIGNING: the finished container can be fetched. */
export interface Result {
  readonly expiresAt: number;
  /** Hosted: the browser was sent back. */
  readonly redirectIssued: boolean;
}

/** The authorization code. It is not stored but derived from the event that granted it. */
export interface Grant {
  /** Of SessionConfirmed. */
  readonly eventId: string;
  readonly confirmedAt: number;
  readonly expiresAt: number;
  /** Of the device, over the statement of the scan: base64, IEEE P1363. */
  readonly signature?: string;
  readonly redeemed: boolean;
  /** How the login was completed, unless as ever. */
  readonly finishedBy?: FinishedBy;
  /** Of CodeRedeemed, from which the access token of OpenID Connect is derived. `jkt`: the key that the token is bound to. */
  readonly redemption?: { readonly eventId: string; readonly at: number; readonly jkt?: string };
  /** A wrong number was typed on the hosted page: neither that page nor the code finishes the login any more. */
  readonly numberRefused?: true;
}

/** The scan of a hosted login that was opened by a link: only the browser that brings the return token may finish it. */
export const linkScanOf = (session: Session): Scan | undefined =>
  'scan' in session && session.scan?.via === 'link' && session.terms.handoffExpiresAt !== undefined ? session.scan : undefined;

/** How long the number of a confirmed login finishes it, in milliseconds (specification/login-ui.md#finishing-by-a-number). */
const NUMBER_LIFE = 60_000;

/** Whether the login is confirmed and a number may finish it: opened by a link on the hosted page, for a client that allows it, within 60 s, and after no wrong one. */
export const takesNumber = (session: Session, now: number): session is Extract<Session, { status: 'CONFIRMED' }> =>
  session.status === 'CONFIRMED' &&
  session.terms.finishByNumber === true &&
  linkScanOf(session) !== undefined &&
  !session.grant.numberRefused &&
  now < session.grant.confirmedAt + NUMBER_LIFE;

/** Why the session ended, as far as the person may be told on another phone. No other person is told. */
export const endToldTo = (identityId: IdentityId, session: Session): 'DEVICE_REVOKED' | undefined =>
  session.status === 'CANCELLED' && session.reason === 'DEVICE_REVOKED' && session.scan?.identityId === identityId ? session.reason : undefined;

/** How long a session's record can be read after its end, in milliseconds (specification/sessions.md#session-record-after-its-end). */
export const RECORD_RETENTION = 600_000;

/** When the session expires: the user's deadline or, once the user has approved a signature, the container's. */
export const deadlineOf = (session: Extract<Session, { status: 'PENDING' | 'SCANNED' }>): number =>
  session.status === 'SCANNED' && session.approval ? session.approval.expiresAt : session.terms.expiresAt;

/** Whether the session's deadline has passed, recorded or not. */
export const timeIsUp = (session: Session, now: number): boolean =>
  (session.status === 'PENDING' || session.status === 'SCANNED') && now >= deadlineOf(session);

/** When the session ended or, while it is open, when it ends at the latest. A confirmed login ends ten minutes after its confirmation. */
export const endOf = (session: StartedSession): number => {
  switch (session.status) {
    case 'PENDING':
    case 'SCANNED':
      return deadlineOf(session);
    case 'CONFIRMED':
      return session.grant.confirmedAt + RECORD_RETENTION;
    default:
      return session.endedAt;
  }
};

/** Until when the record may be shown, epoch milliseconds; then the session counts as unknown. A signature's record lasts as long as its result. */
export const readableUntil = (session: StartedSession): number => {
  if ('result' in session) return session.result.expiresAt;
  return endOf(session) + (session.status === 'CONFIRMED' ? 0 : RECORD_RETENTION);
};

export const isReadable = (session: StartedSession, now: number): boolean => now < readableUntil(session);
