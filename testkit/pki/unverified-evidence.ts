import { SystemRandomness } from '#kernel';

import { Certificate } from '#signatures/pki';
import { answerOcsp } from '#signatures/pki';
import { timeStampToken } from '#signatures/pki';
import type { DevelopmentPki, TrustServiceUnit } from '#signatures/pki';
import { certificateId, encodeOcspRequest } from '#signatures/pki';
import type { RevocationEvidence } from '#signatures/pki';
import { imprintOf } from '#signatures/pki';
import type { VerifiedTimeStamp } from '#signatures/pki';

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
