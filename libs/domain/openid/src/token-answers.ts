import { type Clock, epochSeconds } from '#kernel';
import { type Client, ID_TOKEN_ALGORITHMS } from '#domain/relying-party';
import { ACCESS_TOKEN_LIFE, type RedeemedLogin } from '#domain/session';

import { claimsFrom } from './domain/claims.js';
import { InvalidDpopProof } from './domain/oauth-error.js';
import { ACR, AMR } from './domain/provider-metadata.js';
import type { DpopProofs } from './keys/dpop-proofs.js';
import type { IdTokens } from './keys/id-tokens.js';
import type { IdTokenKey } from './keys/signing-keys.js';

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

/** Seconds. */
const LIFE = ACCESS_TOKEN_LIFE / 1_000;

export interface TokenAnswersParts {
  readonly idTokens: IdTokens;
  readonly dpopProofs: Pick<DpopProofs, 'check'>;
  readonly issuer: string;
  readonly clock: Clock;
}

/** Makes the answers of the token endpoint. */
export class TokenAnswers {
  constructor(private readonly parts: TokenAnswersParts) {}

  /**
   * Redeems the login, once nothing can fail any more: the proof of the client's key is checked, and the key that will sign is there. Throws what `redeem` throws, InvalidDpopProof and
   * ServiceUnavailable. `proof`: the header `DPoP`.
   */
  async answer(client: Client, proof: string | undefined, redeem: (jkt: string | undefined) => Promise<RedeemedLogin>): Promise<TokenAnswer> {
    const jkt = await this.#provedKey(proof, client);
    const key = this.parts.idTokens.keyFor(client.idTokenSignedResponseAlg ?? ID_TOKEN_ALGORITHMS[0]);
    const login = await redeem(jkt);
    const { accessToken, evidence, openid } = login;
    return {
      access_token: accessToken,
      token_type: jkt === undefined ? 'Bearer' : 'DPoP',
      expires_in: LIFE,
      scope: openid.scope,
      id_token: await this.#idToken(key, login, client),
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
