import { SignJWT } from 'jose';

import { type Clock, epochSeconds, type Randomness, type SubjectId } from '#kernel';
import { type Client, ID_TOKEN_ALGORITHMS } from '#domain/relying-party';

import type { SigningKeys } from './signing-keys.js';

/** OpenID Connect Back-Channel Logout 1.0 section 2.4: a type of its own, so that no client takes it for an ID token. */
const TYPE = 'logout+jwt';
const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} };
/** Seconds, as the standard recommends. */
const LIFE = 120;

/** Makes logout tokens, by the algorithm of the client's ID tokens. */
export class LogoutTokens {
  constructor(
    private readonly keys: Pick<SigningKeys, 'ofNow'>,
    private readonly issuer: string,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Undefined where the service has no key. */
  async make({ clientId, idTokenSignedResponseAlg: alg = ID_TOKEN_ALGORITHMS[0] }: Client, subjectId: SubjectId): Promise<string | undefined> {
    const key = this.keys.ofNow(alg);
    if (!key) return undefined;
    const issuedAt = epochSeconds(this.clock.now());
    return new SignJWT({ events: EVENTS })
      .setProtectedHeader({ alg, kid: key.kid, typ: TYPE })
      .setIssuer(this.issuer)
      .setAudience(clientId)
      .setSubject(subjectId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFE)
      .setJti(this.randomness.uuid())
      .sign(key.privateKey);
  }
}
