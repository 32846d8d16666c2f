import { RateLimited, type RateLimits } from '#engines/rate-limit';
import type { Client } from '#domain/relying-party';
import {
  type ExchangeToken,
  type FindBackchannelLogin,
  type GetSessionStatus,
  InvalidGrant,
  LoginDenied,
  LoginExpired,
  SessionNotFound,
  type SessionStatus,
  type WaitForStatus,
} from '#domain/session';
import type { SessionId } from '#kernel';

import type { Parameters } from '../domain/authorization-request.js';
import { OAuthError } from '../domain/oauth-error.js';
import type { TokenAnswer, TokenAnswers } from '../token-answers.js';

/** Seconds between two polls, as the answer to the request says. A shorter pause is answered with `slow_down`. */
export const POLL_INTERVAL = 2;

/** A poll that asks too early counts as none. */
const ONCE = { name: 'openid-polls', times: 1, seconds: POLL_INTERVAL } as const;

/** Characters. */
const LONGEST_ID = 255;

/** How long the answer may be held, like that of a status. */
export interface PollWait {
  readonly milliseconds: number;
  /** Aborted when the caller disconnects or the service shuts down. */
  readonly signal: AbortSignal;
}

export interface TokenCall {
  /** The header `DPoP`. */
  readonly proof?: string | undefined;
  /** How long the answer to a login without a browser may be held. */
  readonly wait?: PollWait | undefined;
}

export interface PollBackchannelLoginParts {
  readonly findBackchannelLogin: Pick<FindBackchannelLogin, 'execute'>;
  readonly getSessionStatus: Pick<GetSessionStatus, 'execute'>;
  readonly waitForStatus: Pick<WaitForStatus, 'execute'>;
  readonly exchangeToken: Pick<ExchangeToken, 'executeBackchannel'>;
  readonly tokenAnswers: Pick<TokenAnswers, 'answer'>;
  readonly rateLimits: Pick<RateLimits, 'take'>;
}

/** POST token with the grant type of CIBA (CIBA Core sections 10.1 and 11): the tokens of a login without a browser, once the person has approved it. */
export class PollBackchannelLogin {
  constructor(private readonly parts: PollBackchannelLoginParts) {}

  /** Throws OAuthError, and InvalidGrant for an id that is not that of an open request of the client. */
  async execute({ auth_req_id: authReqId }: Parameters, client: Client, { proof, wait }: TokenCall = {}): Promise<TokenAnswer> {
    if (authReqId === undefined || authReqId.length > LONGEST_ID)
      throw new OAuthError('invalid_request', `auth_req_id is required, of at most ${LONGEST_ID} characters`);
    const { sessionId, status } = await this.parts.findBackchannelLogin.execute(authReqId, client.clientId);
    assertConfirmed(isOpen(status) ? await this.#later(sessionId, status, client, wait) : status);
    const { tokenAnswers, exchangeToken } = this.parts;
    return tokenAnswers.answer(client, proof, (jkt) => exchangeToken.executeBackchannel(sessionId, client, jkt)).catch(toOAuth);
  }

  /** The status of a login that the person has not approved yet, at once or after the wait. Only such polls count: who asks once more after the approval gets the tokens. */
  async #later(sessionId: SessionId, status: SessionStatus, { clientId }: Client, wait: PollWait | undefined): Promise<SessionStatus> {
    const { rateLimits, getSessionStatus, waitForStatus } = this.parts;
    await rateLimits.take(ONCE, sessionId, 'polled before the interval was over').catch(toOAuth);
    if (!wait) return status;
    const read = () => getSessionStatus.execute(sessionId, clientId);
    // A scan alone is nothing to the client.
    return (await waitForStatus.execute(read, { ...wait, sessionId, since: 'SCANNED' }).catch(toOAuth)).status;
  }
}

const isOpen = (status: SessionStatus): boolean => status === 'PENDING' || status === 'SCANNED';

const assertConfirmed = (status: SessionStatus): void => {
  switch (status) {
    case 'PENDING':
    case 'SCANNED':
      throw new OAuthError('authorization_pending', 'the person has not decided yet');
    case 'CANCELLED':
      throw new OAuthError('access_denied', 'the login was not approved');
    case 'EXPIRED':
      throw new OAuthError('expired_token', 'time is up');
    case 'COMPLETED':
      throw new InvalidGrant('redeemed before');
    case 'CONFIRMED':
      return;
  }
};

const toOAuth = (error: unknown): never => {
  if (error instanceof RateLimited) throw new OAuthError('slow_down', `wait ${POLL_INTERVAL} seconds between two polls`);
  if (error instanceof LoginDenied) throw new OAuthError('access_denied', 'the login was not approved', error.reason);
  if (error instanceof LoginExpired) throw new OAuthError('expired_token', 'time is up');
  if (error instanceof SessionNotFound) throw new InvalidGrant(error.reason);
  throw error;
};
