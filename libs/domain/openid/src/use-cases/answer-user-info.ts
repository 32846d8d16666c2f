import type { ReadUserInfo } from '#domain/session';

import { claimsFrom } from '../domain/claims.js';
import { InvalidDpopProof } from '../domain/oauth-error.js';
import type { DpopProofs } from '../keys/dpop-proofs.js';

/** An access token, as the request brings it. */
export interface BroughtToken {
  readonly accessToken: string;
  /** RFC 6750, or RFC 9449 section 7.1: with a proof of the key that the token is bound to. */
  readonly scheme: 'Bearer' | 'DPoP';
  /** The header `DPoP`. */
  readonly proof: string | undefined;
  /** Of the request. */
  readonly method: string;
}

/** GET and POST userinfo (OpenID Connect Core section 5.3). */
export class AnswerUserInfo {
  constructor(
    private readonly readUserInfo: ReadUserInfo,
    private readonly dpopProofs: Pick<DpopProofs, 'check'>,
    private readonly issuer: string,
  ) {}

  /** Throws InvalidAccessToken and InvalidDpopProof. */
  async execute(brought: BroughtToken): Promise<Readonly<Record<string, string | boolean>>> {
    const { subjectId, clientId: _, ...disclosed } = await this.readUserInfo.execute(brought.accessToken, await this.#provedKey(brought));
    return { sub: subjectId, ...claimsFrom(disclosed) };
  }

  async #provedKey({ accessToken, scheme, proof, method }: BroughtToken): Promise<string | undefined> {
    if (scheme === 'Bearer') return undefined;
    if (proof === undefined) throw new InvalidDpopProof('no proof');
    return this.dpopProofs.check(proof, { method, url: `${this.issuer}/userinfo`, accessToken });
  }
}
