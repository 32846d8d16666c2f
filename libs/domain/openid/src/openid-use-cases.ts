import type { RateLimits } from '#engines/rate-limit';
import type { Clock } from '#kernel';
import type { FindClient } from '#domain/relying-party';
import type { GuardedGet } from '#domain/webhook';
import type {
  CreateSession,
  ExchangeToken,
  FindBackchannelLogin,
  FindPushedLogin,
  GetSessionStatus,
  ReadUserInfo,
  SealedLoginRequests,
  WaitForStatus,
} from '#domain/session';

import { ClientAssertions } from './keys/client-assertions.js';
import { ClientKeySets, type ClientKeySetsParts } from './keys/client-key-sets.js';
import { DpopProofs } from './keys/dpop-proofs.js';
import { IdTokens } from './keys/id-tokens.js';
import { RequestObjects } from './keys/request-objects.js';
import type { SigningKeys } from './keys/signing-keys.js';
import { AnswerUserInfo } from './use-cases/answer-user-info.js';
import { AuthorizationRequests } from './authorization-requests.js';
import { TokenAnswers } from './token-answers.js';
import { BeginAuthorization } from './use-cases/begin-authorization.js';
import { BeginBackchannelLogin } from './use-cases/begin-backchannel-login.js';
import { IssueTokens } from './use-cases/issue-tokens.js';
import { PollBackchannelLogin } from './use-cases/poll-backchannel-login.js';
import { PushAuthorizationRequest } from './use-cases/push-authorization-request.js';

export interface ClientKeyParts {
  readonly clock: Clock;
  readonly rateLimits: RateLimits;
  readonly get: GuardedGet;
  readonly findClient: FindClient;
  readonly keysMissed: NonNullable<ClientKeySetsParts['keysMissed']>;
}

/** The parts of the process that the provider needs. */
export interface OpenIdParts {
  readonly clock: Clock;
  readonly rateLimits: RateLimits;
  readonly settings: { readonly issuerUrl: string; readonly loginUrl: string; readonly handoffTtl: number };
  readonly signingKeys: SigningKeys;
  readonly createSession: CreateSession;
  readonly exchangeToken: ExchangeToken;
  readonly getSessionStatus: GetSessionStatus;
  readonly waitForStatus: WaitForStatus;
  readonly findBackchannelLogin: FindBackchannelLogin;
  readonly findPushedLogin: FindPushedLogin;
  readonly sealedLoginRequests: SealedLoginRequests;
  readonly readUserInfo: ReadUserInfo;
  readonly findClient: FindClient;
  readonly keySets: ClientKeySets;
}

/** The keys of clients, and how they prove themselves by them, at this provider and at the native interface. */
export const clientKeyUseCases = (parts: ClientKeyParts) => {
  const keySets = new ClientKeySets(parts);
  return { keySets, clientAssertions: new ClientAssertions({ ...parts, keySets }) };
};

/** The values of `aud` by which an assertion names the provider, the issuer first. */
export const assertionAudiences = (issuer: string): readonly string[] => [issuer, `${issuer}/token`, `${issuer}/par`, `${issuer}/bc-authorize`];

/** The use cases of the provider of OpenID Connect, over those of sessions. */
export const openIdUseCases = (parts: OpenIdParts) => {
  const { clock, settings, signingKeys, createSession, exchangeToken, readUserInfo } = parts;
  const { issuerUrl: issuer, loginUrl, handoffTtl } = settings;
  const idTokens = new IdTokens(signingKeys, issuer);
  const requests = new AuthorizationRequests(idTokens);
  const dpopProofs = new DpopProofs(parts);
  const requestObjects = new RequestObjects({ ...parts, issuer });
  const tokenAnswers = new TokenAnswers({ idTokens, dpopProofs, issuer, clock });
  const pollBackchannelLogin = new PollBackchannelLogin({ ...parts, tokenAnswers });
  return {
    signingKeys,
    pushAuthorizationRequest: new PushAuthorizationRequest({ requests, createSession, requestObjects, dpopProofs, issuer, life: handoffTtl }),
    beginAuthorization: new BeginAuthorization({ ...parts, requests, issuer, loginUrl }),
    beginBackchannelLogin: new BeginBackchannelLogin({ requests, requestObjects, createSession, clock }),
    issueTokens: new IssueTokens(exchangeToken, pollBackchannelLogin, tokenAnswers),
    answerUserInfo: new AnswerUserInfo(readUserInfo, dpopProofs, issuer),
  };
};
