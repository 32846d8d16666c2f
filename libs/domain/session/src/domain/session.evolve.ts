import { assertNever, type Stored } from '#kernel';

import type { Scan, Session } from './session.js';
import type { SessionEvent } from './session.events.js';

/** Applies one event. An event that does not fit leaves the state unchanged, since streams hold only histories that the decider made. */
export const evolve = (session: Session, event: Stored<SessionEvent>): Session => {
  if (event.type === 'SessionCreated') {
    const { at: createdAt, requestDigest, ...terms } = event.data;
    return { status: 'PENDING', terms, createdAt, ...(requestDigest !== undefined && { requestDigest }), createdEventId: event.id, refused: [] };
  }
  if (session.status === 'NONE') return session;
  const { terms, createdAt, requestDigest, createdEventId, refused } = session;
  const begun = {
    terms,
    createdAt,
    ...(requestDigest !== undefined && { requestDigest }),
    createdEventId,
    refused,
    ...(session.login && { login: session.login }),
    ...(session.waitingPage !== undefined && { waitingPage: session.waitingPage }),
  };
  const { at } = event.data;

  switch (event.type) {
    case 'HandoffClaimed': {
      const { sealed } = event.data;
      return { ...session, login: { eventId: event.id, superseded: false }, ...(sealed !== undefined && { waitingPage: sealed }) };
    }
    case 'LoginSuperseded':
      return session.login ? { ...session, login: { ...session.login, superseded: true } } : session;
    case 'ScanRefused':
      return { ...session, refused: [...refused, event.data.deviceHash] };
    case 'SessionScanned': {
      const { at: _, ...scan } = event.data;
      return { ...begun, status: 'SCANNED', scan: { ...scan, eventId: event.id } };
    }
    case 'SessionConfirmed': {
      if (session.status !== 'SCANNED') return session;
      const { signature, codeExpiresAt, buildExpiresAt } = event.data;
      if (buildExpiresAt !== undefined) return { ...session, approval: { expiresAt: buildExpiresAt } };
      const grant = {
        eventId: event.id,
        confirmedAt: at,
        expiresAt: codeExpiresAt ?? at,
        ...(signature !== undefined && { signature }),
        redeemed: false,
      };
      return { ...begun, status: 'CONFIRMED', scan: session.scan, grant };
    }
    case 'SessionCompleted': {
      if (session.status === 'CONFIRMED') {
        const { finishedBy } = event.data;
        return { ...begun, status: 'COMPLETED', scan: session.scan, grant: { ...session.grant, ...(finishedBy && { finishedBy }) }, endedAt: at };
      }
      if (session.status !== 'SCANNED') return session;
      const result = { expiresAt: event.data.resultExpiresAt ?? at, redirectIssued: false };
      return { ...begun, status: 'COMPLETED', scan: session.scan, result, endedAt: at };
    }
    case 'NumberRefused':
      return session.status === 'CONFIRMED' ? { ...session, grant: { ...session.grant, numberRefused: true } } : session;
    case 'RedirectIssued':
      return 'result' in session ? { ...session, result: { ...session.result, redirectIssued: true } } : session;
    case 'SessionCancelled':
      return { ...begun, ...scanned(session), status: 'CANCELLED', reason: event.data.reason, endedAt: at };
    case 'SessionExpired':
      return { ...begun, ...scanned(session), status: 'EXPIRED', endedAt: at };
    case 'CodeRedeemed':
      if (session.status !== 'COMPLETED' || !('grant' in session)) return session;
      return { ...session, grant: { ...session.grant, redeemed: true, redemption: { eventId: event.id, ...event.data } } };
    default:
      return assertNever(event);
  }
};

const scanned = (session: Session): { scan?: Scan } => ('scan' in session && session.scan ? { scan: session.scan } : {});
