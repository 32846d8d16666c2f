export type { SessionRequest } from './domain/session-request.js';
export { LIFETIMES, type Lifetimes } from './domain/lifetimes.js';
export type { SigningResult } from './domain/sealed-terms.js';
export { codeChallengeOf, PKCE_VALUE } from './domain/pkce.js';
export type { PushStatus, RequestedProperties, SessionEvent, SignatureType } from './domain/session.events.js';
export type { SessionStatus } from './domain/session.js';
export { SESSION_EVENTS_TOPIC, type SessionEventType, type SessionFacts, SessionPublication } from './integration-events.js';
export {
  deviceSessionUseCases,
  eraseSignings,
  loginPageSessionUseCases,
  operatorSessionUseCases,
  relyingPartySessionUseCases,
  signingUseCases,
  timedSessionUseCases,
} from './session-use-cases.js';
export { Checkpoint } from './read-models/checkpoint.js';
export { OpenSessions } from './read-models/open-sessions.js';
export { AuthorizeLogin } from './use-cases/authorize-login.js';
export { BuildSignature } from './use-cases/build-signature.js';
export { ClaimHandoff, type ClaimedLogin } from './use-cases/claim-handoff.js';
export { CompleteSession } from './use-cases/complete-session.js';
export { ConfirmSession } from './use-cases/confirm-session.js';
export { type CreatedSession, CreateSession } from './use-cases/create-session.js';
export { DeclineSession } from './use-cases/decline-session.js';
export { DeleteOldSessions } from './use-cases/delete-old-sessions.js';
export { EndSessionByTime } from './use-cases/end-session-by-time.js';
export { ExchangeToken, type TokenResponse } from './use-cases/exchange-token.js';
export { GetSessionResult } from './use-cases/get-session-result.js';
export { GetSessionStatus, type StatusView, statusView } from './use-cases/get-session-status.js';
export { GetSessionTimeline, type SessionTimeline } from './use-cases/get-session-timeline.js';
export { ListPendingSessions, type PendingSession } from './use-cases/list-pending-sessions.js';
export { PushLimit } from './use-cases/push-limit.js';
export { ScanSession, type ScannedSession } from './use-cases/scan-session.js';
export { parseSince, WaitForStatus } from './use-cases/wait-for-status.js';
export { WithdrawSession } from './use-cases/withdraw-session.js';
