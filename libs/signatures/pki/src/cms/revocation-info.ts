import { type DerNode, encode, oid, raw, sequence, TAG } from '../der/der.js';
import { OID } from '../der/oids.js';
import type { RevocationEvidence } from '../ocsp/revocation-source.js';

/** RevocationInfoChoices, each once: CRLs as they are, OCSP responses whole as `[1]` OtherRevocationInfoFormat (RFC 5940 §2). */
export const revocationInfo = (evidence: readonly RevocationEvidence[]): readonly DerNode[] => {
  const seen = new Set<string>();
  return evidence
    .filter(({ der }) => !seen.has(der.toString('latin1')) && seen.add(der.toString('latin1')))
    .map(({ type, der }) => (type === 'crl' ? raw(der) : otherRevocationInfo(der)));
};

const otherRevocationInfo = (response: Buffer): DerNode => {
  const format = encode(sequence(oid(OID.riOcspResponse), raw(response)));
  format[0] = TAG.constructed(1);
  return raw(format);
};
