export type { Parameters } from './domain/authorization-request.js';
export { NoRelyingParty, OAuthError } from './domain/oauth-error.js';
export { providerMetadata } from './domain/provider-metadata.js';
export { SigningKeys, type SigningRing } from './keys/signing-keys.js';
export { openIdUseCases } from './openid-use-cases.js';
export { AnswerUserInfo } from './use-cases/answer-user-info.js';
export { BeginAuthorization } from './use-cases/begin-authorization.js';
export { IssueTokens, type TokenAnswer } from './use-cases/issue-tokens.js';
export { PushAuthorizationRequest, type PushedRequest } from './use-cases/push-authorization-request.js';
