import {
  BadOcspResponse,
  type Certificate,
  type DerReader,
  heldAt,
  OID,
  type SignedData,
  statusByLists,
  TAG,
  type VerifiedOcspResponse,
  verifyOcspResponse,
  type VerifiedTimeStamp,
  withRest,
} from '#pki';

import type { Findings } from './report.js';

export interface RevocationScope {
  readonly signedData: SignedData;
  /** The signer's chain, root last. */
  readonly chain: readonly Certificate[];
  readonly timeStamp: VerifiedTimeStamp;
}

/**
 * Level LT: the container proves by itself that no certificate of its chains was revoked: the signer's by an OCSP
 * response made after the time-stamp, the CAs' and the time-stamping unit's by CRLs or OCSP responses. Answers that response.
 */
export const checkRevocation = ({ signedData, chain, timeStamp }: RevocationScope, findings: Findings): VerifiedOcspResponse | undefined => {
  const material = readMaterial(signedData.crls ?? []);
  const [signer, issuer] = chain;
  const response = signer && issuer ? findOcsp(material, signer, issuer) : undefined;
  if (response) checkSigner(response, timeStamp.genTime, findings);
  else findings.add('revocation', "no valid answer of the CA about the signer's certificate is in the container");

  for (const [certificate, above] of [...withRest(chain.slice(1)), ...withRest(timeStamp.chain)]) {
    const status = findStatus(material, { certificate, above, at: timeStamp.genTime });
    const name = JSON.stringify(certificate.subjectAttribute(OID.commonName) ?? 'a certificate');
    if (!status) findings.add('revocation', `nothing in the container says whether ${name} was revoked`);
    else findings.require(status === 'good', 'revoked-authority', `${name} was ${status}`);
  }
  return response;
};

const checkSigner = (response: VerifiedOcspResponse, stamped: number, findings: Findings): void => {
  const { status, revokedAt = -Infinity, producedAt } = response;
  const stillGood = revokedAt > stamped;
  findings.require(status !== 'unknown', 'revocation', "the CA does not know the signer's certificate");
  findings.require(status !== 'revoked', stillGood ? 'revoked-later' : 'revoked', "the CA says about the signer's certificate: revoked");
  findings.require(heldAt(response, stamped), 'time-order', "the CA's statement about the signer had ended before the signature was time-stamped");
  // OCSP counts whole seconds
  findings.require(
    producedAt >= Math.floor(stamped / 1000) * 1000,
    'time-order',
    'the CA was asked about the signer before the signature was time-stamped',
  );
};

/** The state of a certificate of the trust service, by a CRL or else by an OCSP response. */
const findStatus = (
  material: Material,
  { certificate, above, at }: { certificate: Certificate; above: readonly [Certificate, ...Certificate[]]; at: number },
) => {
  const listed = statusByLists(material.lists, certificate, { above, at });
  if (listed) return listed;
  const response = findOcsp(material, certificate, above[0]);
  return response && heldAt(response, at) ? response.status : undefined;
};

interface Material {
  readonly responses: readonly Buffer[];
  readonly lists: readonly Buffer[];
}

const readMaterial = (crls: readonly DerReader[]): Material => ({
  responses: crls.filter(({ tag }) => tag === TAG.constructed(1)).flatMap(readOtherInfo),
  lists: crls.filter(({ tag }) => tag === TAG.sequence).map(({ bytes }) => bytes),
});

const readOtherInfo = (reader: DerReader): readonly Buffer[] => {
  const fields = reader.fields(TAG.constructed(1));
  const format = fields.take().oid();
  const info = fields.take().bytes;
  fields.end();
  return format === OID.riOcspResponse ? [info] : [];
};

const findOcsp = ({ responses }: Material, certificate: Certificate, issuer: Certificate): VerifiedOcspResponse | undefined => {
  for (const response of responses) {
    try {
      return verifyOcspResponse(response, { certificate, issuer });
    } catch (error) {
      if (!(error instanceof BadOcspResponse)) throw error;
    }
  }
  return undefined;
};
