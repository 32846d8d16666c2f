import { type Clock, epochSeconds } from '#kernel';
import { type Client, ID_TOKEN_ALGORITHMS } from '#domain/relying-party';
import { ACCESS_TOKEN_LIFE, type ExchangeToken, type RedeemedLogin } from '#domain/session';

import type { Parameters } from '../domain/authorization-request.js';
import { claimsFrom } from '../domain/claims.js';
import { InvalidDpopProof, OAuthError } from '../domain/oauth-error.js';
import { ACR, AMR } from '../domain/provider-metadata.js';
import type { DpopProofs } from '../keys/dpop-proofs.js';
import type { IdTokens } from '../keys/id-tokens.js';
import type { IdTokenKey } from '../keys/signing-keys.js';

/** OpenID Connect Core section 3.1.3.3. */
export interface TokenAnswer {
  readonly access_token: string;
  /** `DPoP`: bound to the key of the proof (RFC 9449 section 5). */
  readonly token_type: 'Bearer' | 'DPoP';
  /** Seconds. */
  readonly expires_in: number;
  readonly scope: string;
  readonly id_token: string;
  /** With the scope `evidence`: a JWS over what the phone has signed. */
  readonly evidence?: string;
}

/** Characters, as in the native interface. */
const LONGEST_CODE = 255;
/** Seconds. */
const LIFE = ACCESS_TOKEN_LIFE / 1_000;

export interface IssueTokensParts {
  readonly exchangeToken: Pick<ExchangeToken, 'executeOpenId'>;
  readonly idTokens: IdTokens;
  readonly dpopProofs: Pick<DpopProofs, 'check'>;
  readonly issuer: string;
  readonly clock: Clock;
}

/** POST token with `grant_type=authorization_code`. */
export class IssueTokens {
  constructor(private readonly parts: IssueTokensParts) {}

  /** Throws OAuthError, and InvalidGrant for every cause that lies in the code. `proof`: the header `DPoP`. */
  async execute(given: Parameters, client: Client, proof?: string): Promise<TokenAnswer> {
    if (given['grant_type'] === undefined) throw new OAuthError('invalid_request', 'grant_type is required');
    if (given['grant_type'] !== 'authorization_code') throw new OAuthError('unsupported_grant_type', 'the only grant_type is authorization_code');
    const { code, redirect_uri: redirectUri, code_verifier: codeVerifier } = given as Partial<Record<string, string>>;
    if (code === undefined || code.length > LONGEST_CODE)
      throw new OAuthError('invalid_request', `code is required, of at most ${LONGEST_CODE} characters`);
    if (redirectUri === undefined) throw new OAuthError('invalid_request', 'redirect_uri is required');
    const jkt = await this.#provedKey(proof, client);
    // Nothing may fail once the code is redeemed.
    const key = this.parts.idTokens.keyFor(client.idTokenSignedResponseAlg ?? ID_TOKEN_ALGORITHMS[0]);
    const login = await this.parts.exchangeToken.executeOpenId({ code, codeVerifier, redirectUri, jkt }, client);
    const idToken = await this.#idToken(key, login, client);
    const { accessToken, evidence, openid } = login;
    return {
      access_token: accessToken,
      token_type: jkt === undefined ? 'Bearer' : 'DPoP',
      expires_in: LIFE,
      scope: openid.scope,
      id_token: idToken,
      ...(evidence !== undefined && { evidence }),
    };
  }

  async #provedKey(proof: string | undefined, { dpopBoundAccessTokens }: Client): Promise<string | undefined> {
    const { dpopProofs, issuer } = this.parts;
    if (proof !== undefined) return dpopProofs.check(proof, { method: 'POST', url: `${issuer}/token` });
    if (dpopBoundAccessTokens) throw new InvalidDpopProof('this client needs a proof of its key');
    return undefined;
  }

  #idToken(key: IdTokenKey, { subjectId, confirmedAt, openid: { nonce }, ...disclosed }: RedeemedLogin, { clientId }: Client): Promise<string> {
    const issuedAt = epochSeconds(this.parts.clock.now());
    return this.parts.idTokens.sign(key, {
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
