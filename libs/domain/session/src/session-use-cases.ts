import type { ArchiveStamper, CollectEvidence } from '#signatures/asic';
import type { StreamChanges } from '#engines/event-store';
import { type IdentityParts, identityUseCases } from '#domain/identity';
import { LocatingTokens } from '#kernel';
import type { RevocationSource, TrustStore } from '#signatures/pki';
import type { RateLimits } from '#engines/rate-limit';
import { type RelyingPartyParts, relyingPartyUseCases } from '#domain/relying-party';

import { FinishNumbers } from './domain/finish-numbers.js';
import { QrFrames } from './domain/qr-frames.js';
import { RefusedDevices } from './domain/refused-devices.js';
import { VerificationCodes } from './domain/verification-codes.js';
import { WaitingPages } from './domain/waiting-pages.js';
import { PushLimit } from './push-limit.js';
import { IdempotencyKeys } from './repositories/idempotency-keys.js';
import { SigningLog } from './repositories/signing-log.js';
import { SigningResults } from './repositories/signing-results.js';
import { Statements } from './repositories/statements.js';
import { type ScanReports, ScanWatch } from './scan-watch.js';
import { lifetimesOf, type SessionSettings } from './session-settings.js';
import { sessionsOf, type SessionsParts } from './sessions-of-process.js';
import { SessionStatuses } from './status/session-statuses.js';
import type { StatusChanges } from './status/status-changes.js';
import { AuthorizeLogin } from './use-cases/authorize-login.js';
import { BuildSignature, type ContainerRefusals } from './use-cases/build-signature.js';
import { CheckApproval } from './approval/check-approval.js';
import { CheckSigner } from './use-cases/check-signer.js';
import { ClaimHandoff } from './use-cases/claim-handoff.js';
import { CompleteSession } from './use-cases/complete-session.js';
import { ConfirmSession } from './use-cases/confirm-session.js';
import { CreateSession } from './use-cases/create-session.js';
import { DeclineSession } from './use-cases/decline-session.js';
import { DescribeLogin } from './use-cases/describe-login.js';
import { ExchangeToken } from './use-cases/exchange-token.js';
import { FindApprovingDevice } from './use-cases/find-approving-device.js';
import { GetLoginStatus } from './use-cases/get-login-status.js';
import { GetSessionResult } from './use-cases/get-session-result.js';
import { GetSessionStatus } from './use-cases/get-session-status.js';
import { HostedQrCode } from './domain/hosted-qr-code.js';
import { ListPendingSessions } from './use-cases/list-pending-sessions.js';
import { RestoreCachedStatus } from './use-cases/restore-cached-status.js';
import { PrepareStatement } from './use-cases/prepare-statement.js';
import { PreviewSession } from './use-cases/preview-session.js';
import { PushLoginAgain } from './use-cases/push-login-again.js';
import { PushSession } from './use-cases/push-session.js';
import { ScanSession } from './use-cases/scan-session.js';
import { VerifySignature } from './use-cases/verify-signature.js';
import { WaitForStatus } from './use-cases/wait-for-status.js';
import { WithdrawLogin } from './use-cases/withdraw-login.js';
import { WithdrawSession } from './use-cases/withdraw-session.js';

/** The parts of the process that the use cases need. */
export interface SessionDependencies extends IdentityParts, RelyingPartyParts, SessionsParts {
  readonly keys: IdentityParts['keys'];
  readonly settings: SessionSettings & { readonly appScheme: string } & IdentityParts['settings'] & RelyingPartyParts['settings'];
  readonly rateLimits: RateLimits;
  /** Absent where nothing is signed. */
  readonly trustServices?: { readonly revocationSource: RevocationSource } | undefined;
}

/** The purpose of the tokens that are authorization codes. */
const AUTHORIZATION_CODE = 'authorization-code';

/** The parts that several use cases share. */
const sharedBy = (dependencies: SessionDependencies) => {
  const { settings, eventStore, unitOfWork, keys, sealer, clock, randomness, statusCache } = dependencies;
  const identity = identityUseCases(dependencies);
  const relyingParties = relyingPartyUseCases(dependencies);
  const sessions = sessionsOf(dependencies);
  const verifySignature = new VerifySignature(identity.readSigningCertificate);
  const lifetimes = lifetimesOf(settings);
  return {
    unitOfWork,
    sessions,
    /** They may be some milliseconds old: nothing is decided on them. */
    statuses: new SessionStatuses(sessions, clock, statusCache),
    sealer,
    qrFrames: new QrFrames(keys.index.key),
    verificationCodes: new VerificationCodes(keys.index.key),
    finishNumbers: new FinishNumbers(keys.index.key),
    waitingPages: new WaitingPages(keys.index.key),
    codes: new LocatingTokens(keys.token, AUTHORIZATION_CODE),
    handoffTokens: new LocatingTokens(keys.token, 'handoff-token'),
    cookies: new LocatingTokens(keys.token, 'login-cookie'),
    returnTokens: new LocatingTokens(keys.token, 'return-token'),
    lifetimes,
    results: new SigningResults(eventStore, sealer, lifetimes, clock),
    signingLog: new SigningLog(eventStore, lifetimes, clock),
    pushSession: new PushSession(identity.resolveSubject, identity.hasActiveDevice, identity.inbox),
    findClient: relyingParties.findClient,
    findLogo: relyingParties.findLogo,
    identity,
    verifySignature,
    checkApproval: new CheckApproval(identity.findEnrolment, verifySignature, sealer, (sessionId, reason) =>
      dependencies.log.error('a stored approval is refused: its device has not signed it', { component: 'session', sessionId, reason }),
    ),
    clock,
    randomness,
  };
};

/** The use cases of the portal, which is a relying party of the service itself. */
export const portalSessionUseCases = (parts: SessionsParts & Pick<SessionDependencies, 'keys'>) => ({
  findApprovingDevice: new FindApprovingDevice(sessionsOf(parts), new LocatingTokens(parts.keys.token, AUTHORIZATION_CODE)),
});

/** The use cases of the relying party's server. `changes` are those of sessions. */
export const relyingPartySessionUseCases = (dependencies: SessionDependencies, changes: StatusChanges) => {
  const shared = sharedBy(dependencies);
  const { unitOfWork, sessions, statuses, codes, returnTokens, finishNumbers, sealer, identity, results, clock } = shared;
  const { keys, rateLimits, settings } = dependencies;
  const idempotencyKeys = new IdempotencyKeys(sessions, keys.index.key, clock);
  const pushLimit = new PushLimit(rateLimits, { times: settings.pushLimit, seconds: settings.pushLimitWindow });
  return {
    createSession: new CreateSession({ ...shared, idempotencyKeys, pushLimit, signs: dependencies.certificateAuthority !== undefined }),
    getSessionStatus: new GetSessionStatus(statuses),
    waitForStatus: new WaitForStatus(changes, clock),
    getSessionResult: new GetSessionResult(sessions, results),
    completeSession: new CompleteSession(unitOfWork, sessions, codes, returnTokens, sealer, finishNumbers),
    withdrawSession: new WithdrawSession(unitOfWork, sessions),
    exchangeToken: new ExchangeToken({ ...shared, ...identity }),
  };
};

/** The use cases of the hosted login page, about the login of its cookie. `changes` are those of sessions. */
export const loginPageSessionUseCases = (dependencies: SessionDependencies, changes: StatusChanges) => {
  const shared = sharedBy(dependencies);
  const {
    unitOfWork,
    sessions,
    statuses,
    codes,
    returnTokens,
    finishNumbers,
    sealer,
    cookies,
    findClient,
    findLogo,
    pushSession,
    verificationCodes,
    clock,
  } = shared;
  const { rateLimits, settings } = dependencies;
  const pushLimit = new PushLimit(rateLimits, { times: settings.pushLimit, seconds: settings.pushLimitWindow });
  const authorizeLogin = new AuthorizeLogin(sessions, cookies, clock);
  const hostedQrCode = new HostedQrCode(shared.qrFrames, clock, settings);
  return {
    hostedQrCode,
    authorizeLogin,
    getLoginStatus: new GetLoginStatus(new AuthorizeLogin(statuses, cookies, clock), authorizeLogin),
    claimHandoff: new ClaimHandoff({ ...shared, authorizeLogin }),
    describeLogin: new DescribeLogin(sealer, findClient, findLogo, hostedQrCode, verificationCodes, clock),
    waitForStatus: new WaitForStatus(changes, clock),
    completeSession: new CompleteSession(unitOfWork, sessions, codes, returnTokens, sealer, finishNumbers),
    withdrawLogin: new WithdrawLogin(sessions),
    pushLoginAgain: new PushLoginAgain(pushSession, pushLimit),
  };
};

/** The use cases of a phone. `inboxChanges` are those of the category `inbox`. */
export const deviceSessionUseCases = (dependencies: SessionDependencies, inboxChanges: StreamChanges, scanReports: ScanReports) => {
  const shared = sharedBy(dependencies);
  const { unitOfWork, sessions, sealer, findClient, identity, results, randomness, clock } = shared;
  const statements = new Statements(results, sealer);
  const { subjectIds, checkPin, inbox, readSigningCertificate } = identity;
  const prepareStatement = new PrepareStatement(
    readSigningCertificate,
    new CheckSigner(dependencies.trustServices?.revocationSource),
    clock,
    randomness,
  );
  const refusedDevices = new RefusedDevices(dependencies.keys.index.key);
  const scanWatch = new ScanWatch(clock, scanReports);
  const { loginUrl } = dependencies.settings;
  return {
    previewSession: new PreviewSession(sessions, findClient, shared.qrFrames, clock),
    scanSession: new ScanSession({ ...shared, subjectIds, prepareStatement, statements, refusedDevices, scanWatch, loginUrl }),
    confirmSession: new ConfirmSession({ ...shared, checkPin, statements, loginUrl }),
    declineSession: new DeclineSession(unitOfWork, sessions),
    listPendingSessions: new ListPendingSessions(inbox, sessions, inboxChanges, findClient, clock),
  };
};

/** The use case that keeps a status cache right; undefined where there is none. */
export const restoreCachedStatus = (parts: SessionsParts & Pick<SessionDependencies, 'clock'>) =>
  parts.statusCache && new RestoreCachedStatus(sessionsOf(parts), parts.statusCache, parts.clock);

/** The use case that builds the containers of approved signatures. */
export const signingUseCases = (
  dependencies: SessionDependencies,
  trustServices: {
    readonly collectEvidence: CollectEvidence;
    readonly archiveStamper?: ArchiveStamper | undefined;
    readonly trust: TrustStore;
    readonly refusals: ContainerRefusals;
  },
) => {
  const shared = sharedBy(dependencies);
  return { buildSignature: new BuildSignature({ ...shared, ...shared.identity, ...trustServices }) };
};
