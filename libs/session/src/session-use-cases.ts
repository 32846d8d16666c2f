import type { CollectEvidence } from '#asic';
import { LocatingTokens, Sealer } from '#kernel';
import type { StreamChanges } from '#event-store';
import { identityUseCases } from '#identity';
import type { TrustStore } from '#pki';
import type { Platform } from '#platform';
import { relyingPartyUseCases } from '#relying-party';

import type { Lifetimes } from './domain/lifetimes.js';
import { Checkpoint } from './read-models/checkpoint.js';
import { AuthorizeLogin } from './use-cases/authorize-login.js';
import { BuildSignature } from './use-cases/build-signature.js';
import { ClaimHandoff } from './use-cases/claim-handoff.js';
import { CompleteSession } from './use-cases/complete-session.js';
import { ConfirmSession } from './use-cases/confirm-session.js';
import { CreateSession } from './use-cases/create-session.js';
import { DeclineSession } from './use-cases/decline-session.js';
import { DeleteOldSessions } from './use-cases/delete-old-sessions.js';
import { EndSessionByTime } from './use-cases/end-session-by-time.js';
import { EraseSignings } from './use-cases/erase-signings.js';
import { ExchangeToken } from './use-cases/exchange-token.js';
import { GetSessionResult } from './use-cases/get-session-result.js';
import { GetSessionStatus } from './use-cases/get-session-status.js';
import { GetSessionTimeline } from './use-cases/get-session-timeline.js';
import { IdempotencyKeys } from './use-cases/idempotency-keys.js';
import { ListPendingSessions } from './use-cases/list-pending-sessions.js';
import type { PushLimit } from './use-cases/push-limit.js';
import { PrepareStatement } from './use-cases/prepare-statement.js';
import { PushSession } from './use-cases/push-session.js';
import { ScanSession } from './use-cases/scan-session.js';
import { Sessions } from './use-cases/sessions.js';
import { SigningLog } from './use-cases/signing-log.js';
import { SigningResults } from './use-cases/signing-results.js';
import { VerifySignature } from './use-cases/verify-signature.js';
import { WaitForStatus } from './use-cases/wait-for-status.js';
import { WithdrawSession } from './use-cases/withdraw-session.js';

const partsOf = (platform: Platform) => {
  const { settings, eventStore, keys, clock, randomness } = platform;
  const identity = identityUseCases(platform);
  const sealer = new Sealer(keys.data, randomness);
  const lifetimes: Lifetimes = {
    session: settings.sessionTtl * 1000,
    pushSession: settings.pushSessionTtl * 1000,
    code: settings.codeTtl * 1000,
    handoff: settings.handoffTtl * 1000,
    signingBuild: settings.signingBuildTtl * 1000,
    result: settings.resultRetention * 1000,
  };
  return {
    sessions: new Sessions(eventStore, clock, randomness),
    sealer,
    codes: new LocatingTokens(keys.token, 'authorization-code'),
    handoffTokens: new LocatingTokens(keys.token, 'handoff-token'),
    cookies: new LocatingTokens(keys.token, 'login-cookie'),
    lifetimes,
    results: new SigningResults(eventStore, sealer, lifetimes, clock, randomness),
    signingLog: new SigningLog(eventStore, lifetimes, clock, randomness),
    pushSession: new PushSession(identity.resolveSubject, identity.hasActiveDevice, identity.inbox),
    findClient: relyingPartyUseCases(platform).findClient,
    identity,
    clock,
    randomness,
  };
};

/** What the relying party's server may do with sessions. */
export const relyingPartySessionUseCases = (platform: Platform, pushLimit: PushLimit, changes: StreamChanges) => {
  const parts = partsOf(platform);
  const { sessions, codes, sealer, identity, results, clock } = parts;
  const idempotencyKeys = new IdempotencyKeys(platform.eventStore, platform.keys.subject.key, clock, platform.randomness);
  return [
    new CreateSession({ ...parts, idempotencyKeys, pushLimit }),
    new GetSessionStatus(sessions),
    new WaitForStatus(changes, clock),
    new GetSessionResult(sessions, results),
    new CompleteSession(sessions, codes, sealer),
    new WithdrawSession(sessions),
    new ExchangeToken(sessions, codes, identity.readPersonalData, identity.linkSubject, clock),
  ];
};

/** What the hosted login page may do with the login of its cookie. */
export const loginPageSessionUseCases = (platform: Platform, changes: StreamChanges) => {
  const { sessions, codes, sealer, handoffTokens, cookies, findClient, pushSession, clock } = partsOf(platform);
  const authorizeLogin = new AuthorizeLogin(sessions, cookies, clock);
  return [
    authorizeLogin,
    new ClaimHandoff({ sessions, handoffTokens, cookies, authorizeLogin, findClient, pushSession }),
    new WaitForStatus(changes, clock),
    new CompleteSession(sessions, codes, sealer),
  ];
};

/** What a phone may do with sessions. */
export const deviceSessionUseCases = (platform: Platform, inboxChanges: StreamChanges) => {
  const { sessions, sealer, findClient, identity, lifetimes, signingLog, randomness, clock } = partsOf(platform);
  const { subjectIds, checkPin, inbox, readSigningCertificate } = identity;
  const prepareStatement = new PrepareStatement(readSigningCertificate, clock, randomness);
  const verifySignature = new VerifySignature(sealer, readSigningCertificate);
  return [
    new ScanSession({ sessions, findClient, subjectIds, sealer, prepareStatement, loginUrl: platform.settings.loginUrl }),
    new ConfirmSession(sessions, checkPin, verifySignature, signingLog, lifetimes),
    new DeclineSession(sessions),
    new ListPendingSessions(inbox, sessions, inboxChanges, clock),
  ];
};

/** What an operator may see of sessions. */
export const operatorSessionUseCases = ({ eventStore, clock, randomness }: Platform) => [
  new GetSessionTimeline(new Sessions(eventStore, clock, randomness)),
];

/** What builds the containers of approved signatures. */
export const signingUseCases = (platform: Platform, trustServices: { readonly collectEvidence: CollectEvidence; readonly trust: TrustStore }) => {
  const parts = partsOf(platform);
  return { buildSignature: new BuildSignature({ ...parts, ...parts.identity, ...trustServices }) };
};

/** What time does to sessions. */
export const timedSessionUseCases = ({ eventStore, clock, randomness }: Platform) => {
  const sessions = new Sessions(eventStore, clock, randomness);
  return {
    endSessionByTime: new EndSessionByTime(sessions),
    deleteOldSessions: new DeleteOldSessions(eventStore, sessions, new Checkpoint(eventStore, randomness, 'session-retention'), clock),
  };
};

/** What is stored here of a person who is erased. */
export const eraseSignings = (platform: Platform): EraseSignings => {
  const { signingLog, sessions, results } = partsOf(platform);
  return new EraseSignings(signingLog, sessions, results);
};
