import { type JWTPayload, SignJWT } from 'jose';

import { type Clock, epochSeconds } from '#kernel';
import { EvidenceSigner, type LoginEvidence, type SignEvidence } from '#domain/session';

import type { IdTokenKey, SigningKeys } from './signing-keys.js';

/** The member `typ` of its header, so that evidence is never taken for an ID token (RFC 8725 section 3.11). */
const TYPE = 'login-evidence+jwt';

/** Evidence of a login as a JWT of the issuer, always in ES256: its signature costs little beside that of RSA. It has no end, since it is kept. */
export class EvidenceByJws extends EvidenceSigner {
  constructor(
    private readonly keys: Pick<SigningKeys, 'ofNow'>,
    private readonly issuer: string,
    private readonly clock: Clock,
  ) {
    super();
  }

  override current(): SignEvidence | undefined {
    const key = this.keys.ofNow('ES256');
    return key && ((evidence) => this.#signed(evidence, key));
  }

  #signed(evidence: LoginEvidence, { alg, kid, privateKey }: IdTokenKey): Promise<string> {
    const { clientId, subjectId, enrolledAt, confirmedAt, ...proof } = evidence;
    const claims = { ...proof, signatureAlgorithm: 'ES256', enrolledAt: epochSeconds(enrolledAt), confirmedAt: epochSeconds(confirmedAt) };
    return new SignJWT(claims satisfies JWTPayload)
      .setProtectedHeader({ alg, kid, typ: TYPE })
      .setIssuer(this.issuer)
      .setAudience(clientId)
      .setSubject(subjectId)
      .setIssuedAt(epochSeconds(this.clock.now()))
      .sign(privateKey);
  }
}
