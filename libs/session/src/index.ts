export type { SessionDocument } from './domain/sealed-terms.js';
export type { SessionRequest } from './domain/session-request.js';
export type { SigningResult } from './domain/sealed-terms.js';
export { PKCE_VALUE } from './domain/pkce.js';
export { LONGEST_PROPERTIES } from './domain/properties.js';
export { CONSUMER_GROUPS, SESSION_EVENTS_TOPIC, type SessionFacts, SessionPublication } from './integration-events.js';
export {
  deviceSessionUseCases,
  loginPageSessionUseCases,
  portalSessionUseCases,
  restoreCachedStatus,
  relyingPartySessionUseCases,
  signingUseCases,
} from './session-use-cases.js';
export { operatorSessionUseCases } from './operator-session-use-cases.js';
export { sessionErasures } from './session-erasures.js';
export type { Sessions } from './repositories/sessions.js';
export { sessionsOf } from './sessions-of-process.js';
export { sessionTimerUseCases } from './session-timer-use-cases.js';
export { AuthorizeLogin } from './use-cases/authorize-login.js';
export { BuildSignature, type ContainerRefusals } from './use-cases/build-signature.js';
export { ClaimHandoff } from './use-cases/claim-handoff.js';
export { CompleteSession } from './use-cases/complete-session.js';
export { type AcceptedPin, ConfirmSession, type PinRequest } from './use-cases/confirm-session.js';
export { type CreatedSession, CreateSession } from './use-cases/create-session.js';
export { DeclineSession } from './use-cases/decline-session.js';
export { NoLoginCookie, SessionSuperseded } from './domain/session.errors.js';
export { DescribeLogin, type LoginDescription } from './use-cases/describe-login.js';
export { ExchangeToken, type TokenResponse } from './use-cases/exchange-token.js';
export { FindApprovingDevice } from './use-cases/find-approving-device.js';
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
export { type ListedSession, ListSessions, type SessionSearch } from './use-cases/list-sessions.js';
export { type FunnelDay, ReadLoginFunnel } from './use-cases/read-login-funnel.js';
export { HostedQrCode } from './domain/hosted-qr-code.js';
export { ListPendingSessions, type NamedPendingSession, type PendingSession } from './use-cases/list-pending-sessions.js';
export { PreviewSession, type SessionPreview } from './use-cases/preview-session.js';
export { PushLoginAgain } from './use-cases/push-login-again.js';
export type { ScanReports } from './scan-watch.js';
export { ScanSession, type ScannedSession } from './use-cases/scan-session.js';
export { parseSince, WaitForStatus } from './use-cases/wait-for-status.js';
export { WithdrawLogin } from './use-cases/withdraw-login.js';
export { WithdrawSession } from './use-cases/withdraw-session.js';
