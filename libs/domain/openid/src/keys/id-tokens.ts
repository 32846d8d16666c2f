import { type JWTPayload, jwtVerify, SignJWT } from 'jose';

import { type ClientId, type Json, parseId, type SubjectId } from '#kernel';
import { ID_TOKEN_ALGORITHMS, type IdTokenAlgorithm } from '#domain/relying-party';

import type { IdTokenKey, SigningKeys } from './signing-keys.js';

/** The member `typ` of the header. Evidence of a login and logout tokens have others. */
const TYPE = 'JWT';

/** Makes ID tokens, and reads those that clients bring back as hints (OpenID Connect Core sections 2 and 3.1.2.1). */
export class IdTokens {
  constructor(
    private readonly keys: SigningKeys,
    private readonly issuer: string,
  ) {}

  /** Throws ServiceUnavailable where the service has no key. */
  keyFor(alg: IdTokenAlgorithm): IdTokenKey {
    return this.keys.current(alg);
  }

  sign({ kid, alg, privateKey }: IdTokenKey, claims: Readonly<Record<string, Json>>): Promise<string> {
    return new SignJWT(claims as JWTPayload).setProtectedHeader({ alg, kid, typ: TYPE }).setIssuer(this.issuer).sign(privateKey);
  }

  /** The subject of an ID token that this provider gave the client, also when it is over. Undefined for any other text. */
  async subjectOf(token: string, clientId: ClientId): Promise<SubjectId | undefined> {
    try {
      const options = { issuer: this.issuer, audience: clientId, typ: TYPE, algorithms: [...ID_TOKEN_ALGORITHMS], currentDate: new Date(0) };
      const { payload } = await jwtVerify(token, async ({ kid }: { readonly kid?: string }) => this.#publicKey(kid), options);
      return parseId<SubjectId>(payload.sub);
    } catch {
      return undefined;
    }
  }

  #publicKey(kid: string | undefined): IdTokenKey['publicKey'] {
    const key = this.keys.find(kid);
    if (!key) throw new Error('signed by no key of the ring');
    return key.publicKey;
  }
}
