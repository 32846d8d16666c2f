import type { Client } from '#domain/relying-party';
import type { ExchangeToken } from '#domain/session';

import type { Parameters } from '../domain/authorization-request.js';
import { CIBA_GRANT } from '../domain/backchannel-request.js';
import { OAuthError } from '../domain/oauth-error.js';
import type { TokenAnswer, TokenAnswers } from '../token-answers.js';
import type { PollBackchannelLogin, TokenCall } from './poll-backchannel-login.js';

/** Characters, as in the native interface. */
const LONGEST_CODE = 255;

/** POST token. */
export class IssueTokens {
  constructor(
    private readonly exchangeToken: Pick<ExchangeToken, 'executeOpenId'>,
    private readonly pollBackchannelLogin: Pick<PollBackchannelLogin, 'execute'>,
    private readonly tokenAnswers: Pick<TokenAnswers, 'answer'>,
  ) {}

  /** Throws OAuthError, and InvalidGrant for every cause that lies in the code or in the id of the request. */
  async execute(given: Parameters, client: Client, { proof, wait }: TokenCall = {}): Promise<TokenAnswer> {
    switch (given['grant_type']) {
      case 'authorization_code':
        return this.#byCode(given, client, proof);
      case CIBA_GRANT:
        return this.pollBackchannelLogin.execute(given, client, { proof, wait });
      case undefined:
        throw new OAuthError('invalid_request', 'grant_type is required');
      default:
        throw new OAuthError('unsupported_grant_type', `grant_type must be authorization_code or ${CIBA_GRANT}`);
    }
  }

  #byCode(given: Parameters, client: Client, proof: string | undefined): Promise<TokenAnswer> {
    const { code, redirect_uri: redirectUri, code_verifier: codeVerifier } = given as Partial<Record<string, string>>;
    if (code === undefined || code.length > LONGEST_CODE)
      throw new OAuthError('invalid_request', `code is required, of at most ${LONGEST_CODE} characters`);
    if (redirectUri === undefined) throw new OAuthError('invalid_request', 'redirect_uri is required');
    return this.tokenAnswers.answer(client, proof, (jkt) => this.exchangeToken.executeOpenId({ code, codeVerifier, redirectUri, jkt }, client));
  }
}
