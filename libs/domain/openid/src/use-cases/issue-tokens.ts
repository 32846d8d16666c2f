import { type Clock, epochSeconds } from '#kernel';
import { type Client, ID_TOKEN_ALGORITHMS } from '#domain/relying-party';
import { ACCESS_TOKEN_LIFE, type ExchangeToken, type RedeemedLogin } from '#domain/session';

import type { Parameters } from '../domain/authorization-request.js';
import { claimsFrom } from '../domain/claims.js';
import { OAuthError } from '../domain/oauth-error.js';
import { ACR, AMR } from '../domain/provider-metadata.js';
import type { IdTokens } from '../keys/id-tokens.js';
import type { IdTokenKey } from '../keys/signing-keys.js';

/** OpenID Connect Core section 3.1.3.3. */
export interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** Seconds. */
  readonly expires_in: number;
  readonly scope: string;
  readonly id_token: string;
}

/** Characters, as in the native interface. */
const LONGEST_CODE = 255;
/** Seconds. */
const LIFE = ACCESS_TOKEN_LIFE / 1_000;

/** POST token with `grant_type=authorization_code`. */
export class IssueTokens {
  constructor(
    private readonly exchangeToken: Pick<ExchangeToken, 'executeOpenId'>,
    private readonly idTokens: IdTokens,
    private readonly clock: Clock,
  ) {}

  /** Throws OAuthError, and InvalidGrant for every cause that lies in the code. */
  async execute(given: Parameters, client: Client): Promise<TokenAnswer> {
    if (given['grant_type'] === undefined) throw new OAuthError('invalid_request', 'grant_type is required');
    if (given['grant_type'] !== 'authorization_code') throw new OAuthError('unsupported_grant_type', 'the only grant_type is authorization_code');
    const { code, redirect_uri: redirectUri, code_verifier: codeVerifier } = given as Partial<Record<string, string>>;
    if (code === undefined || code.length > LONGEST_CODE)
      throw new OAuthError('invalid_request', `code is required, of at most ${LONGEST_CODE} characters`);
    if (redirectUri === undefined) throw new OAuthError('invalid_request', 'redirect_uri is required');
    // Nothing may fail once the code is redeemed.
    const key = this.idTokens.keyFor(client.idTokenSignedResponseAlg ?? ID_TOKEN_ALGORITHMS[0]);
    const login = await this.exchangeToken.executeOpenId({ code, codeVerifier, redirectUri }, client);
    const idToken = await this.#idToken(key, login, client);
    return { access_token: login.accessToken, token_type: 'Bearer', expires_in: LIFE, scope: login.openid.scope, id_token: idToken };
  }

  #idToken(key: IdTokenKey, { subjectId, confirmedAt, openid: { nonce }, ...disclosed }: RedeemedLogin, { clientId }: Client): Promise<string> {
    const issuedAt = epochSeconds(this.clock.now());
    return this.idTokens.sign(key, {
      sub: subjectId,
      aud: clientId,
      iat: issuedAt,
      exp: issuedAt + LIFE,
      auth_time: epochSeconds(confirmedAt),
      ...(nonce !== undefined && { nonce }),
      acr: ACR,
      amr: AMR,
      ...claimsFrom(disclosed),
    });
  }
}
