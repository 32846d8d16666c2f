import type { ClientId, DeviceId, IdentityId, SubjectId } from '#kernel';

import type { CancelReason, PushStatus, RequestedProperties, SignatureType } from './session.events.js';

/** Specification, "States and transitions". One shape for each status. Times are epoch milliseconds. */
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

export type StartedSession = Exclude<Session, { status: 'NONE' }>;

interface Begun {
  readonly terms: Terms;
  readonly login?: HostedLogin;
  /** Devices whose scan was refused, as far as recorded. */
  readonly refused: readonly DeviceId[];
}

/** What the client asked for; never changes. */
export interface Terms {
  readonly clientId: ClientId;
  readonly signatureType: SignatureType;
  readonly redirectUri?: string;
  readonly codeChallenge?: string;
  readonly subjectId?: SubjectId;
  readonly pushStatus: PushStatus;
  readonly requested?: RequestedProperties;
  readonly handoffExpiresAt?: number;
  readonly sealed: string;
  readonly expiresAt: number;
  /** The event that granted the handoff token. */
  readonly eventId: string;
}

/** A browser holds the login cookie of this session. */
export interface HostedLogin {
  /** The event that granted the cookie. */
  readonly eventId: string;
  readonly superseded: boolean;
}

export interface Scan {
  readonly deviceId: DeviceId;
  readonly identityId: IdentityId;
  readonly certificateHash?: string;
  readonly sealed: string;
}

/** SIGNING: the PIN was accepted, and the container is being built. Nobody is shown a status for it. */
export interface Approval {
  /** Base64, as it goes into the container. */
  readonly signature: string;
  readonly expiresAt: number;
}

/** SIGNING: the finished container can be fetched. */
export interface Result {
  readonly expiresAt: number;
  /** Hosted: the browser was sent back. */
  readonly redirectIssued: boolean;
}

/** The authorization code, as far as it is stored: the event that granted it, and its end. */
export interface Grant {
  readonly eventId: string;
  readonly confirmedAt: number;
  readonly expiresAt: number;
  readonly redeemed: boolean;
}

/** How long a session's record can be read after its end, in milliseconds (api-extensions 1.13). */
export const RECORD_RETENTION = 600_000;

/** Until when a session may wait for what comes next: the user or, once the user has approved a signature, the container. */
export const deadlineOf = (session: Extract<Session, { status: 'PENDING' | 'SCANNED' }>): number =>
  session.status === 'SCANNED' && session.approval ? session.approval.expiresAt : session.terms.expiresAt;

/** Whether time has ended the session, be it recorded or not. */
export const timeIsUp = (session: Session, now: number): boolean =>
  (session.status === 'PENDING' || session.status === 'SCANNED') && now >= deadlineOf(session);

/** Whether it is on record that time ended the session. */
export const endedByTime = (session: Session): boolean =>
  session.status === 'EXPIRED' || (session.status === 'CANCELLED' && session.reason === 'SIGNING_FAILED');

/** When the session ended or, for one that has not, when it will at the latest. A confirmed login ends ten minutes later. */
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

/** Whether the record may still be shown; afterwards the session counts as unknown. A signature's is kept as long as its result. */
export const isReadable = (session: StartedSession, now: number): boolean => {
  if ('result' in session) return now < session.result.expiresAt;
  return now < endOf(session) + (session.status === 'CONFIRMED' ? 0 : RECORD_RETENTION);
};
