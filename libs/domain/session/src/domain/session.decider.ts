import { assertNever, type Decider, type DeviceId, type Stored } from '#kernel';

import { assertScannable } from './assert-scannable.js';
import { complete, finishByNumber } from './completion.js';
import { deadlineOf, type Session, timeIsUp } from './session.js';
import type {
  AbandonSigning,
  CancelSession,
  ClaimHandoff,
  ConfirmSession,
  CreateSession,
  EndOfDevice,
  FinishSigning,
  RecordRefusedScan,
  RedeemCode,
  ScanSession,
  SessionCommand,
  SupersedeLogin,
} from './session.commands.js';
import {
  InvalidGrant,
  InvalidHandoff,
  SessionEnded,
  SessionNotCancellable,
  SessionNotFound,
  SessionNotScanned,
  SubjectNotAllowed,
} from './session.errors.js';
import { SESSION_EVENTS, type SessionEvent, type SessionTerms } from './session.events.js';
import { evolve } from './session.evolve.js';

/**
 * The deadline comes first: after it every command decides the session's end and nothing else. Once that event is
 * stored, the command is decided again on the ended session (specification/sessions.md#when-time-ends-a-session).
 */
const decide = (command: SessionCommand, session: Session): readonly SessionEvent[] => {
  if (timeIsUp(session, command.now)) return expire(session);
  switch (command.type) {
    case 'CreateSession':
      return create(command, session);
    case 'ClaimHandoff':
      return claimHandoff(command, session);
    case 'SupersedeLogin':
      return supersedeLogin(command, session);
    case 'ScanSession':
      return scan(command, session);
    case 'RecordRefusedScan':
      return recordRefusedScan(command, session);
    case 'ConfirmSession':
      return confirm(command, session);
    case 'CancelSession':
      return cancel(command, session);
    case 'FinishSigning':
      return finishSigning(command, session);
    case 'AbandonSigning':
      return abandonSigning(command, session);
    case 'EndOfDevice':
      return endOfDevice(command, session);
    case 'CompleteSession':
      return complete(command, session);
    case 'FinishByNumber':
      return finishByNumber(command, session);
    case 'RedeemCode':
      return redeemCode(command, session);
    case 'ExpireIfDue':
      return [];
    default:
      return assertNever(command);
  }
};

/** A signature that the user has approved does not expire but fails when its container is not built in time (specification/sessions.md#transitions-of-a-signature). */
const expire = (session: Session): SessionEvent[] => {
  if (session.status !== 'PENDING' && session.status !== 'SCANNED') return [];
  const at = deadlineOf(session);
  const approved = session.status === 'SCANNED' && session.approval;
  if (!approved) return [{ type: 'SessionExpired', data: { at } }];
  return [{ type: 'SessionCancelled', data: { reason: 'SIGNING_FAILED', finding: 'no container was built in time', at } }];
};

/** Repeating a creation changes nothing: a session that exists was made by an earlier try. */
const create = ({ terms, requestDigest, now }: CreateSession, session: Session): SessionEvent[] =>
  session.status === 'NONE' ? [{ type: 'SessionCreated', data: { ...terms, at: now, ...(requestDigest !== undefined && { requestDigest }) } }] : [];

/** Single-use, 60 seconds, and only while the session is pending (specification/sessions.md#handoff-token). */
const claimHandoff = ({ sealed, now }: ClaimHandoff, session: Session): SessionEvent[] => {
  if (session.status === 'NONE') throw new InvalidHandoff('unknown session');
  const { handoffExpiresAt } = session.terms;
  if (handoffExpiresAt === undefined) throw new InvalidHandoff('not a hosted login');
  if (session.login) throw new InvalidHandoff('already claimed');
  if (session.status !== 'PENDING') throw new InvalidHandoff(`session is ${session.status}`);
  if (now >= handoffExpiresAt) throw new InvalidHandoff('expired');
  return [{ type: 'HandoffClaimed', data: { ...(sealed !== undefined && { sealed }), at: now } }];
};

/** A browser drives one hosted login at a time (specification/login-ui.md#one-login-per-browser). */
const supersedeLogin = ({ now }: SupersedeLogin, session: Session): SessionEvent[] => {
  if (session.status === 'NONE' || session.status === 'CANCELLED' || session.status === 'EXPIRED') return [];
  const sentBack = session.status === 'COMPLETED' && ('grant' in session || session.result.redirectIssued);
  return !sentBack && session.login && !session.login.superseded ? [{ type: 'LoginSuperseded', data: { at: now } }] : [];
};

/** The first device wins. Repeating its scan changes nothing. */
const scan = (command: ScanSession, session: Session): SessionEvent[] => {
  if (session.status === 'NONE') throw new SessionNotFound('unknown session');
  assertScannable(session, command, command.now);
  if (session.status !== 'PENDING') return [];
  const { subjectId } = session.terms;
  if (subjectId !== undefined && !command.subjectIds.includes(subjectId)) throw new SubjectNotAllowed('another subject');
  const { type: _, subjectIds: __, frame: ___, admitted: ____, now, ...scanned } = command;
  return [{ type: 'SessionScanned', data: { ...scanned, at: now } }];
};

/** Keeps a session's stream short however many devices scan it. */
const MOST_REFUSALS_RECORDED = 5;

const recordRefusedScan = ({ deviceHash, now }: RecordRefusedScan, session: Session): SessionEvent[] => {
  if (session.status !== 'PENDING') return [];
  if (session.refused.includes(deviceHash) || session.refused.length >= MOST_REFUSALS_RECORDED) return [];
  return [{ type: 'ScanRefused', data: { deviceHash, at: now } }];
};

const confirm = (command: ConfirmSession, session: Session): SessionEvent[] => {
  assertScannedBy(command.deviceId, session);
  switch (session.status) {
    case 'SCANNED': {
      if (session.approval) return [];
      const { signature, codeTtl, buildTtl, now } = command;
      const until =
        session.terms.signatureType === 'SIGNING' ? { buildExpiresAt: now + buildTtl } : { codeExpiresAt: grantedFrom(session.terms, now) + codeTtl };
      return [{ type: 'SessionConfirmed', data: { ...(signature !== undefined && { signature }), ...until, at: now } }];
    }
    case 'CONFIRMED':
    case 'COMPLETED':
      return [];
    default:
      throw new SessionEnded(`session is ${session.status}`);
  }
};

/** The client of a login without a browser may ask for its tokens until the time of the request is up. */
const grantedFrom = ({ backchannel, expiresAt }: SessionTerms, now: number): number => (backchannel ? Math.max(now, expiresAt) : now);

/** A scanned session exists only for the device that scanned it. */
const assertScannedBy = (deviceId: DeviceId, session: Session): void => {
  if (session.status === 'NONE') throw new SessionNotFound('unknown session');
  if (session.status === 'PENDING') throw new SessionNotScanned('session is PENDING');
  if ('scan' in session && session.scan?.deviceId !== deviceId) throw new SessionNotFound('scanned by another device');
};

const cancel = (command: CancelSession, session: Session): SessionEvent[] =>
  'clientId' in command.by ? withdraw(command, session) : decline(command, command.by.deviceId, session);

/** By the relying party; a signature only until the PIN is accepted (specification/relying-party.md#delete-session). */
const withdraw = ({ reason, now }: CancelSession, session: Session): SessionEvent[] => {
  if (session.status === 'NONE') throw new SessionNotFound('unknown session');
  if (session.status === 'SCANNED' && session.approval) throw new SessionNotCancellable('approved');
  if (session.status !== 'PENDING' && session.status !== 'SCANNED') throw new SessionNotCancellable(`session is ${session.status}`);
  return [{ type: 'SessionCancelled', data: { reason, at: now } }];
};

/** By the user on the phone. Repeating it changes nothing. */
const decline = ({ reason, now }: CancelSession, deviceId: DeviceId, session: Session): SessionEvent[] => {
  assertScannedBy(deviceId, session);
  if (session.status === 'CANCELLED' && session.scan) return [];
  if (session.status !== 'SCANNED') throw new SessionNotScanned(`session is ${session.status}`);
  if (session.approval) throw new SessionNotScanned('approved');
  return [{ type: 'SessionCancelled', data: { reason, at: now } }];
};

/** The result is stored before this event, which makes it available. */
const finishSigning = ({ resultTtl, now }: FinishSigning, session: Session): SessionEvent[] => {
  if ('result' in session) return [];
  if (session.status !== 'SCANNED' || !session.approval) throw new SessionEnded(`session is ${session.status}`);
  return [{ type: 'SessionCompleted', data: { resultExpiresAt: now + resultTtl, at: now } }];
};

/** A session that has ended has nothing left to abandon. */
const abandonSigning = ({ reason, finding, now }: AbandonSigning, session: Session): SessionEvent[] =>
  session.status === 'SCANNED' && session.approval
    ? [{ type: 'SessionCancelled', data: { reason, ...(finding !== undefined && { finding }), at: now } }]
    : [];

/** A session that the device has not taken stays open for others. A confirmed login and a finished signature keep their status. */
const endOfDevice = ({ deviceId, reason, now }: EndOfDevice, session: Session): SessionEvent[] =>
  session.status === 'SCANNED' && session.scan.deviceId === deviceId ? [{ type: 'SessionCancelled', data: { reason, at: now } }] : [];

/** RFC 6749 section 4.1.2, RFC 7636 section 4.6. */
const redeemCode = (command: RedeemCode, session: Session): SessionEvent[] => {
  if (session.status !== 'COMPLETED' || !('grant' in session)) throw new InvalidGrant('no code handed out');
  const { terms, grant } = session;
  if (terms.clientId !== command.clientId) throw new InvalidGrant('another client');
  if (grant.numberRefused) throw new InvalidGrant('a wrong number was typed');
  if (grant.redeemed) throw new InvalidGrant('already redeemed');
  if (command.now >= grant.expiresAt) throw new InvalidGrant('expired');
  if (terms.backchannel !== command.backchannel) throw new InvalidGrant('of another grant type');
  if ((terms.issuer === true) !== (command.openid !== undefined)) throw new InvalidGrant('of the other token endpoint');
  if (command.openid && terms.redirectUri !== command.openid.redirectUri) throw new InvalidGrant('another redirect URI');
  // Also a verifier without a challenge (RFC 9700 section 2.1.1): the request may have been another one.
  if (terms.codeChallenge !== command.codeChallenge) throw new InvalidGrant('PKCE mismatch');
  const jkt = command.openid?.jkt;
  if (terms.dpop && jkt === undefined) throw new InvalidGrant('no proof of a key');
  if (terms.dpop?.jkt !== undefined && terms.dpop.jkt !== jkt) throw new InvalidGrant('the proof of another key');
  return [{ type: 'CodeRedeemed', data: { at: command.now, ...(jkt !== undefined && { jkt }) } }];
};

export const sessionDecider: Decider<Session, SessionCommand, SessionEvent> = {
  initial: { status: 'NONE' },
  decide,
  knows: SESSION_EVENTS,
  evolve: (session: Session, event: Stored<SessionEvent>) => evolve(session, event),
};
