/** The codes of refusals at this version of the service. A newer one may answer others. */
export type { ErrorCode } from './answers.js';
export { attach, type Attachment } from './attach.js';
export { AttachRefused } from '../browser/src/index.js';
export type { CallbackQuery } from './callback.js';
export {
  type CallbackFault,
  CallbackRefused,
  ClientAuthenticationFailed,
  CountersignError,
  InvalidGrant,
  InvalidRequest,
  NotSigned,
  RateLimited,
  type RefusalDetails,
  RefusedRequest,
  ServiceUnavailable,
  ServiceUnreachable,
  SessionConflict,
  SessionNotFound,
  UnexpectedAnswer,
  WaitTimedOut,
} from './errors.js';
export {
  type EvidenceFault,
  type EvidenceKeys,
  EvidenceRefused,
  type EvidenceToVerify,
  type LoginStatement,
  type ProvenLogin,
  verifyEvidence,
} from './login-evidence.js';
export { loginPageUrl, type QrPayload, qrPayload, webPhoneLink } from './links.js';
export { codeChallengeOf, newCodeVerifier } from './pkce.js';
export { encodeProperties, type RequestedProperties } from './properties.js';
export { RelyingPartyClient } from './relying-party-client.js';
export type { Cancellable, ChangeOptions, RelyingPartyClientOptions, SettleOptions } from './relying-party-client-options.js';
export type {
  DataToSign,
  DocumentsRequest,
  DocumentsResult,
  DocumentToSign,
  HostedLoginRequest,
  HostedSigningRequest,
  LoginRequest,
  LoginResult,
  PendingDocuments,
  PendingHostedLogin,
  PendingHostedSigning,
  PendingLogin,
  PendingSigning,
  PushStatus,
  QrFrames,
  SessionState,
  SessionStatus,
  SettledStatus,
  SignedDocument,
  SigningRequest,
  SigningResult,
  SubjectMigrations,
} from './session.js';
export { newReturnToken, verifyReturnToken, withReturnToken } from './return-token.js';
export { newState, verifyState } from './state.js';
export { receiveWebhook, verifyWebhook, type WebhookEvent, type WebhookFault, WebhookRefused, type WebhookRequest } from './webhook.js';
