import type { Client } from '#domain/relying-party';
import { type CreateSession, PersonNotReached } from '#domain/session';
import type { Clock } from '#kernel';

import type { Parameters } from '../domain/authorization-request.js';
import { OAuthError } from '../domain/oauth-error.js';
import type { AuthorizationRequests } from '../authorization-requests.js';
import type { RequestObjects } from '../keys/request-objects.js';
import { POLL_INTERVAL } from './poll-backchannel-login.js';

/** CIBA Core section 7.3. */
export interface BackchannelAnswer {
  readonly auth_req_id: string;
  /** Seconds. */
  readonly expires_in: number;
  /** Seconds between two polls. */
  readonly interval: number;
  /** Of a client with verification codes: two digits. The person has to find them where the client shows them, and chooses them on the phone. */
  readonly verification_code?: string;
}

export interface BeginBackchannelLoginParts {
  readonly requests: Pick<AuthorizationRequests, 'readBackchannel'>;
  readonly requestObjects: Pick<RequestObjects, 'signedOf'>;
  readonly createSession: Pick<CreateSession, 'executeBackchannel'>;
  readonly clock: Clock;
}

/** POST bc-authorize (CIBA Core section 7): a login without a browser, pushed to a person whom the client knows. */
export class BeginBackchannelLogin {
  constructor(private readonly parts: BeginBackchannelLoginParts) {}

  /** Throws OAuthError, and RateLimited for too many pushes to one person. */
  async execute(asked: Parameters, client: Client): Promise<BackchannelAnswer> {
    const { requests, requestObjects, createSession, clock } = this.parts;
    const given = await requestObjects.signedOf(asked, client);
    const { subjectId, bindingMessage: title, openid } = await requests.readBackchannel(given, client);
    const request = { signatureType: 'AUTHENTICATION', subjectId, title, openid } as const;
    const begun = await createSession.executeBackchannel(request, client).catch(toOAuth);
    const { authReqId, expiresAt, verificationCode } = begun;
    return {
      auth_req_id: authReqId,
      expires_in: Math.max(1, Math.round((expiresAt - clock.now()) / 1_000)),
      interval: POLL_INTERVAL,
      ...(verificationCode !== undefined && { verification_code: verificationCode }),
    };
  }
}

const toOAuth = (error: unknown): never => {
  if (error instanceof PersonNotReached) throw new OAuthError('unknown_user_id', 'no phone of this person can be reached', error.reason);
  throw error;
};
