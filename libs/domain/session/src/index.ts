export type { SessionDocument } from './domain/sealed-terms.js';
export type { SessionRequest } from './domain/session-request.js';
export { redirectUrl } from './domain/redirect.js';
export type { SigningResult } from './domain/sealed-terms.js';
export { PKCE_VALUE } from './domain/pkce.js';
export { LONGEST_PROPERTIES } from './domain/properties.js';
export { CONSUMER_GROUPS, SESSION_EVENTS_TOPIC, type SessionFacts, SessionPublication, unlessUnpublishable } from './integration-events.js';
export {
  deviceSessionUseCases,
  findBackchannelPing,
  loginPageSessionUseCases,
  openIdSessionUseCases,
  portalSessionUseCases,
  restoreCachedStatus,
  relyingPartySessionUseCases,
  sessionParts,
  signingUseCases,
} from './session-use-cases.js';
export { operatorSessionUseCases } from './operator-session-use-cases.js';
export { personSessionParts, sessionErasures, sessionsOfRevokedDevices } from './session-erasures.js';
export { Sessions } from './repositories/sessions.js';
export { sessionRepositories } from './session-repositories.js';
export { reportRefusals } from './report-refusals.js';
export { reportScans } from './report-scans.js';
export { sessionTimerUseCases } from './session-timer-use-cases.js';
export { AuthorizeLogin } from './use-cases/authorize-login.js';
export { BuildSignature } from './use-cases/build-signature.js';
export { ClaimHandoff } from './use-cases/claim-handoff.js';
export { type Completed, CompleteSession } from './use-cases/complete-session.js';
export { type AcceptedPin, ConfirmSession, type PinRequest } from './use-cases/confirm-session.js';
export { type CreatedSession, CreateSession } from './use-cases/create-session.js';
export { DeclineSession } from './use-cases/decline-session.js';
export { DescribeLogin, type LoginDescription } from './use-cases/describe-login.js';
export { ExchangeToken, type RedeemedLogin, type TokenResponse } from './use-cases/exchange-token.js';
export { FindBackchannelLogin } from './use-cases/find-backchannel-login.js';
export { InvalidGrant, LoginDenied, LoginExpired, PersonNotReached, SessionNotFound } from './domain/session.errors.js';
export type { FindBackchannelPing } from './use-cases/find-backchannel-ping.js';
export { FindPushedLogin } from './use-cases/find-pushed-login.js';
export { FindApprovingDevice } from './use-cases/find-approving-device.js';
export { ACCESS_TOKEN_LIFE, InvalidAccessToken, ReadUserInfo } from './use-cases/read-user-info.js';
export { SealedLoginRequests } from './sealed-login-requests.js';
export { GetSessionResult } from './use-cases/get-session-result.js';
export { GetLoginStatus } from './use-cases/get-login-status.js';
export { GetSessionStatus, type StatusView, statusView } from './use-cases/get-session-status.js';
export { GetSessionTimeline, type SessionTimeline } from './use-cases/get-session-timeline.js';
export { stepsOf } from './session-steps.js';
export { sessionChanges } from './status/session-changes.js';
export { sessionTimers } from './read-models/session-timers-projection.js';
export { TIMER_EVENTS } from './timers/timer-after.js';
export { SweepOldSessions } from './use-cases/sweep-old-sessions.js';
export { NoteTimer } from './use-cases/note-timer.js';
export { RestoreCachedStatus } from './use-cases/restore-cached-status.js';
export { RedisStatusCache } from './status/redis/redis-status-cache.js';
export { StatusCache } from './status/status-cache.js';
export { type ListedSession, ListSessions, type SessionSearch } from './read-models/list-sessions.js';
export { type FunnelDay, ReadLoginFunnel } from './read-models/read-login-funnel.js';
export { HostedQrCode } from './domain/hosted-qr-code.js';
export { ListPendingSessions, type NamedPendingSession, type PendingSession } from './use-cases/list-pending-sessions.js';
export { PreviewSession, type SessionPreview } from './use-cases/preview-session.js';
export { PushLoginAgain } from './use-cases/push-login-again.js';
export { ScanSession } from './use-cases/scan-session.js';
export type { ScannedSession } from './use-cases/scanned-session.js';
export { parseSince, WaitForStatus } from './use-cases/wait-for-status.js';
export { WithdrawLogin } from './use-cases/withdraw-login.js';
export { WithdrawSession } from './use-cases/withdraw-session.js';
export { sessionDecider } from './domain/session.decider.js';
export { type CancelReason, type SessionCreated, type SessionEvent, type SessionTerms, type SignatureType } from './domain/session.events.js';
export { type Session, type SessionStatus } from './domain/session.js';
export { DAY, type FunnelTables, loginFunnelProjection } from './read-models/login-funnel-projection.js';
export { type CachedStatus, StatusCacheUnavailable } from './status/status-cache.js';
export { type StatusWatch } from './status/status-changes.js';
export { LIFETIMES } from './domain/lifetimes.js';
export { CountryCalendars } from './domain/country-calendars.js';
export { FinishNumbers } from './domain/finish-numbers.js';
export { VerificationCodes } from './domain/verification-codes.js';
export { SigningLog } from './repositories/signing-log.js';
export { Statements } from './repositories/statements.js';
export { VerifySignature } from './use-cases/verify-signature.js';
export { evolve } from './domain/session.evolve.js';
export { isSessionEvent, metadataAfter } from './repositories/session-envelope.js';
export { SESSION_STREAMS, sessionStream } from './streams.js';
export { QrFrames } from './domain/qr-frames.js';
export { RefusedDevices } from './domain/refused-devices.js';
export { sessionsProjection } from './read-models/sessions-projection.js';
export { FindSessionsOfClient } from './read-models/find-sessions-of-client.js';
export { reportClients } from './client-reports.js';
export { FindSessionClient, type SessionClient } from './use-cases/find-session-client.js';
export { BlockClient } from './use-cases/block-client.js';
export { WaitingPages } from './domain/waiting-pages.js';
export { ScanWatch } from './scan-watch.js';
export { PrepareStatement, type Statement, type StatementInput } from './use-cases/prepare-statement.js';
export { type ScanRequest } from './use-cases/scan-session.js';
export { PersonHashes } from './domain/person-hashes.js';
export { PersonSessions } from './read-models/person-sessions.js';
export { personSessionsProjection } from './read-models/person-sessions-projection.js';
export { EraseSessionsOfPersons } from './use-cases/erase-sessions-of-persons.js';
export { type SessionTimersDependencies } from './session-timer-use-cases.js';
export { SigningResults } from './repositories/signing-results.js';
export { type ApprovalAlarm, CheckApproval } from './approval/check-approval.js';
export { EvidenceSigner, type LoginEvidence, type SignEvidence } from './domain/login-evidence.js';
