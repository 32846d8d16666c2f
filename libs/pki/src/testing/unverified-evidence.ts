import { SystemRandomness } from '#kernel';

import { Certificate } from '../certificates/certificate.js';
import { answerOcsp } from '../development/answer-ocsp.js';
import { timeStampToken } from '../development/answer-time-stamp.js';
import type { DevelopmentPki, TrustServiceUnit } from '../development/development-pki.js';
import { certificateId, encodeOcspRequest } from '../ocsp/ocsp-request.js';
import type { RevocationEvidence } from '../ocsp/revocation-source.js';
import { imprintOf } from '../time-stamp/time-stamp-request.js';
import type { VerifiedTimeStamp } from '../time-stamp/time-stamp-token.js';

/** A token that claims to be verified, from any unit: for containers that must be refused. */
export const unverifiedTimeStamp = (
  unit: TrustServiceUnit,
  root: TrustServiceUnit,
  { data, now }: { data: Buffer; now: number },
): VerifiedTimeStamp => {
  const wanted = { hash: 'sha512', imprint: imprintOf('sha512', data), certificateRequested: true } as const;
  const token = timeStampToken(wanted, { unit, now, randomness: new SystemRandomness() });
  return { token, genTime: now, policy: '', chain: [Certificate.parse(unit.certificate), Certificate.parse(root.certificate)] };
};

/** A response that claims to be verified, from any responder. */
export const unverifiedOcsp = async (
  pki: Pick<DevelopmentPki, 'issuing' | 'responder'>,
  {
    certificate,
    now,
    knownAt = now,
    revokedAt,
    known = true,
  }: { certificate: Buffer; now: number; knownAt?: number; revokedAt?: number; known?: boolean },
): Promise<RevocationEvidence> => {
  const request = encodeOcspRequest(certificateId(Certificate.parse(certificate).serial, Certificate.parse(pki.issuing.certificate)));
  const state = revokedAt === undefined ? ({ status: known ? 'good' : 'unknown' } as const) : ({ status: 'revoked', at: revokedAt } as const);
  const der = await answerOcsp(request, { pki, now, knownAt, lookUp: () => Promise.resolve(state) });
  return { type: 'ocsp', der, status: 'good', producedAt: now };
};
