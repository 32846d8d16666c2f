import type { ArchiveStamper, CollectEvidence } from '#signatures/asic';
import type { StreamChanges, UnitOfWork } from '#engines/event-store';
import type { IdentityUseCases } from '#domain/identity';
import { type Clock, type KeyRing, LocatingTokens, once, type Randomness, type RingKey, type Sealer } from '#kernel';
import type { RevocationSource, TrustStore } from '#signatures/pki';
import type { RateLimits } from '#engines/rate-limit';
import type { OwnClient, RelyingPartyUseCases } from '#domain/relying-party';
import type { Log } from '#telemetry';

import type { ClientReports } from './client-reports.js';
import type { EvidenceSigner } from './domain/login-evidence.js';
import { CountryCalendars } from './domain/country-calendars.js';
import { FinishNumbers } from './domain/finish-numbers.js';
import { QrFrames } from './domain/qr-frames.js';
import { RefusedDevices } from './domain/refused-devices.js';
import { VerificationCodes } from './domain/verification-codes.js';
import { WaitingPages } from './domain/waiting-pages.js';
import { PushLimit } from './push-limit.js';
import { IdempotencyKeys } from './repositories/idempotency-keys.js';
import { Statements } from './repositories/statements.js';
import { type ScanReports, ScanWatch } from './scan-watch.js';
import { lifetimesOf, type SessionUseCaseSettings } from './session-settings.js';
import type { SessionRepositories } from './session-repositories.js';
import type { StatusCache } from './status/status-cache.js';
import { SessionStatuses } from './status/session-statuses.js';
import type { StatusChanges } from './status/status-changes.js';
import { AskApproval } from './use-cases/ask-approval.js';
import { AuthorizeLogin } from './use-cases/authorize-login.js';
import { BlockClient } from './use-cases/block-client.js';
import { BuildSignature, type ContainerRefusals } from './use-cases/build-signature.js';
import { CheckApproval } from './approval/check-approval.js';
import { EvidenceOfLogins } from './approval/evidence-of-logins.js';
import { CheckSigner } from './use-cases/check-signer.js';
import { ClaimHandoff } from './use-cases/claim-handoff.js';
import { CompleteSession, type PrepareExchange } from './use-cases/complete-session.js';
import { ConfirmSession } from './use-cases/confirm-session.js';
import { CreateSession } from './use-cases/create-session.js';
import { DeclineSession } from './use-cases/decline-session.js';
import { DescribeLogin } from './use-cases/describe-login.js';
import { ExchangeToken } from './use-cases/exchange-token.js';
import { FindAskedApproval } from './use-cases/find-asked-approval.js';
import { FindApprovingDevice } from './use-cases/find-approving-device.js';
import { FindBackchannelLogin } from './use-cases/find-backchannel-login.js';
import { FindBackchannelPing } from './use-cases/find-backchannel-ping.js';
import { FindPushedLogin } from './use-cases/find-pushed-login.js';
import { FindSessionClient } from './use-cases/find-session-client.js';
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
import { ReadUserInfo } from './use-cases/read-user-info.js';
import { ScanSession } from './use-cases/scan-session.js';
import { SealedLoginRequests } from './sealed-login-requests.js';
import { VerifySignature } from './use-cases/verify-signature.js';
import { WaitForStatus } from './use-cases/wait-for-status.js';
import { WithdrawLogin } from './use-cases/withdraw-login.js';
import { WithdrawSession } from './use-cases/withdraw-session.js';

/** The parts of the process that the use cases need. */
export interface SessionDependencies extends SessionRepositories {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly keys: { readonly token: KeyRing; readonly index: RingKey };
  readonly sealer: Sealer;
  readonly settings: SessionUseCaseSettings & { readonly appScheme: string };
  readonly rateLimits: RateLimits;
  readonly statusCache?: StatusCache | undefined;
  /** Undefined where nothing is signed. */
  readonly certificateAuthority: unknown;
  readonly identity: IdentityUseCases;
  readonly relyingParties: Pick<RelyingPartyUseCases, 'findClient' | 'findLogo'>;
  readonly evidenceSigner: EvidenceSigner;
  readonly log: Log;
}

/** The purpose of the tokens that are authorization codes. */
const AUTHORIZATION_CODE = 'authorization-code';

export type SessionParts = ReturnType<typeof sessionParts>;

/** The parts that the use cases of several callers share. `changes` begins to follow those of sessions. */
export const sessionParts = (dependencies: SessionDependencies, changes: () => StatusChanges) => {
  const { settings, unitOfWork, keys, sealer, clock, rateLimits, statusCache, sessions, identity, relyingParties } = dependencies;
  const verifySignature = new VerifySignature(identity.readSigningCertificate);
  const codes = new LocatingTokens(keys.token, AUTHORIZATION_CODE);
  const returnTokens = new LocatingTokens(keys.token, 'return-token');
  const finishNumbers = new FinishNumbers(keys.index.key);
  const pushLimit = new PushLimit({ ...identity, rateLimits, clock, settings });
  const lifetimes = lifetimesOf(settings);
  return {
    ...dependencies,
    ...relyingParties,
    /** They may be some milliseconds old: nothing is decided on them. */
    statuses: new SessionStatuses(sessions, clock, statusCache),
    qrFrames: new QrFrames(keys.index.key),
    verificationCodes: new VerificationCodes(keys.index.key),
    finishNumbers,
    waitingPages: new WaitingPages(keys.index.key),
    codes,
    returnTokens,
    handoffTokens: new LocatingTokens(keys.token, 'handoff-token'),
    cookies: new LocatingTokens(keys.token, 'login-cookie'),
    authRequestIds: new LocatingTokens(keys.token, 'openid-auth-req-id'),
    accessTokens: new LocatingTokens(keys.token, 'openid-access-token'),
    sealedLoginRequests: new SealedLoginRequests({ ...dependencies, ...relyingParties, lifetimes }),
    lifetimes,
    calendars: new CountryCalendars(),
    pushSession: new PushSession({ ...identity, pushLimit }),
    pushLimit,
    verifySignature,
    checkApproval: new CheckApproval(identity.findEnrolment, verifySignature, sealer, (sessionId, reason) =>
      dependencies.log.error('a stored approval is refused: its device has not signed it', { component: 'session', sessionId, reason }),
    ),
    evidenceOfLogins: new EvidenceOfLogins(identity.findEnrolment, sealer, dependencies.evidenceSigner),
    /** Follows the changes from its first use on. */
    waitForStatus: once(() => new WaitForStatus(changes(), clock)),
    completeSession: new CompleteSession(
      unitOfWork,
      sessions,
      codes,
      returnTokens,
      sealer,
      finishNumbers,
      settings.issuerUrl,
      prepareExchange(identity),
    ),
  };
};

const prepareExchange =
  ({ linkSubject, enrolmentProof }: IdentityUseCases): PrepareExchange =>
  async (clientId, scan) => {
    const preparing = [linkSubject.prepare(clientId, scan.identityId), enrolmentProof.prepare(scan)];
    // What could not be read now is read by the exchange.
    await Promise.allSettled(preparing);
  };

/** The use cases of the portal, which is a relying party of the service itself. */
export const portalSessionUseCases = (parts: SessionParts) => {
  const { sessions, codes, checkApproval, identity, sealer } = parts;
  return {
    findApprovingDevice: new FindApprovingDevice(sessions, codes),
    askApproval: new AskApproval(parts),
    findAskedApproval: new FindAskedApproval(sessions, checkApproval, identity.findEnrolment, sealer),
  };
};

/** The use cases of the relying party's server. */
export const relyingPartySessionUseCases = (parts: SessionParts) => {
  const { unitOfWork, sessions, statuses, identity, results, keys, clock, waitForStatus, completeSession } = parts;
  const idempotencyKeys = new IdempotencyKeys(sessions, keys.index.key, clock);
  return {
    createSession: new CreateSession({ ...parts, idempotencyKeys, signs: parts.certificateAuthority !== undefined }),
    getSessionStatus: new GetSessionStatus(statuses),
    waitForStatus: waitForStatus(),
    getSessionResult: new GetSessionResult(sessions, results),
    completeSession,
    withdrawSession: new WithdrawSession(unitOfWork, sessions),
    exchangeToken: new ExchangeToken({ ...parts, ...identity }),
  };
};

/** The use cases of the provider of OpenID Connect. */
export const openIdSessionUseCases = (parts: SessionParts) => ({
  findPushedLogin: new FindPushedLogin(parts.sessions, parts.handoffTokens, parts.clock),
  findBackchannelLogin: new FindBackchannelLogin(parts.sessions, parts.authRequestIds),
  sealedLoginRequests: parts.sealedLoginRequests,
  readUserInfo: new ReadUserInfo({ ...parts, ...parts.identity }),
});

/** The use case of the dispatcher of webhooks, which tells clients of logins without a browser. */
export const findBackchannelPing = ({ sessions, authRequestIds, sealer }: SessionParts) => new FindBackchannelPing(sessions, authRequestIds, sealer);

/** The use cases of the hosted login page, about the login of its cookie. */
export const loginPageSessionUseCases = (parts: SessionParts) => {
  const { sessions, statuses, sealer, cookies, findClient, findLogo, pushSession, pushLimit, verificationCodes, clock, settings } = parts;
  const authorizeLogin = new AuthorizeLogin(sessions, cookies, clock);
  const hostedQrCode = new HostedQrCode(parts.qrFrames, clock, settings);
  return {
    hostedQrCode,
    authorizeLogin,
    getLoginStatus: new GetLoginStatus(new AuthorizeLogin(statuses, cookies, clock), authorizeLogin),
    claimHandoff: new ClaimHandoff({ ...parts, authorizeLogin }),
    describeLogin: new DescribeLogin(sealer, findClient, findLogo, hostedQrCode, verificationCodes, clock, settings.issuerUrl),
    waitForStatus: parts.waitForStatus(),
    completeSession: parts.completeSession,
    withdrawLogin: new WithdrawLogin(sessions),
    pushLoginAgain: new PushLoginAgain(pushSession, pushLimit),
  };
};

export interface DeviceSessionParts extends SessionParts {
  /** Those of the category `inbox`. */
  readonly inboxChanges: StreamChanges;
  readonly scanReports: ScanReports;
  readonly clientReports: ClientReports;
  readonly own: OwnClient;
  readonly revocationSource: RevocationSource | undefined;
}

/** The use cases of a phone. */
export const deviceSessionUseCases = (parts: DeviceSessionParts) => {
  const { unitOfWork, sessions, sealer, findClient, identity, results, randomness, clock, settings, inboxChanges } = parts;
  const statements = new Statements(results, sealer);
  const { subjectIds, checkPin, inbox, personLimits, enrolmentProof, readSigningCertificate } = identity;
  const prepareStatement = new PrepareStatement(readSigningCertificate, new CheckSigner(parts.revocationSource), clock, randomness);
  const refusedDevices = new RefusedDevices(parts.keys.index.key);
  const scanWatch = new ScanWatch(clock, parts.scanReports);
  const { loginUrl } = settings;
  return {
    previewSession: new PreviewSession(sessions, findClient, parts.qrFrames, clock),
    scanSession: new ScanSession({ ...parts, enrolmentProof, subjectIds, prepareStatement, statements, refusedDevices, scanWatch, loginUrl }),
    confirmSession: new ConfirmSession({ ...parts, enrolmentProof, checkPin, statements, loginUrl }),
    declineSession: new DeclineSession(unitOfWork, sessions, personLimits),
    listPendingSessions: new ListPendingSessions(inbox, personLimits, sessions, inboxChanges, findClient, clock, sealer),
    findSessionClient: new FindSessionClient(sessions, findClient),
    blockClient: new BlockClient({ ...parts, personLimits, enrolmentProof }),
  };
};

/** The use case that keeps a status cache right; undefined where there is none. */
export const restoreCachedStatus = ({ sessions, statusCache, clock }: SessionParts) =>
  statusCache && new RestoreCachedStatus(sessions, statusCache, clock);

export interface SigningParts extends SessionParts {
  readonly collectEvidence: CollectEvidence;
  readonly archiveStamper: ArchiveStamper | undefined;
  readonly trust: TrustStore;
  readonly refusals: ContainerRefusals;
}

/** The use case that builds the containers of approved signatures. */
export const signingUseCases = (parts: SigningParts) => ({ buildSignature: new BuildSignature({ ...parts, ...parts.identity }) });
