import { type Certificate, heldAt, OID, type SignedData, statusByLists, type VerifiedTimeStamp, withRest } from '#signatures/pki';

import type { Findings } from './report.js';
import { readMaterial, type RevocationMaterial } from './revocation-material.js';
import { findOcsp, type SignerStatement, signerStatement } from './signer-statement.js';

export interface RevocationScope {
  readonly signedData: SignedData;
  /** The signer's chain, root last. */
  readonly chain: readonly Certificate[];
  readonly timeStamp: VerifiedTimeStamp;
}

/**
 * Level LT: the container proves by itself that no certificate of its chains was revoked: the signer's by an OCSP response made after the time-stamp
 * or by a list, the CAs' and the time-stamping unit's by lists or OCSP responses. Answers the statement about the signer.
 */
export const checkRevocation = ({ signedData, chain, timeStamp }: RevocationScope, findings: Findings): SignerStatement | undefined => {
  const material = readMaterial(signedData.crls ?? []);
  const [signer, ...above] = chain;
  const statement = signer && signerStatement(material, signer, { above, at: timeStamp.genTime });
  if (statement) checkSigner(statement, timeStamp.genTime, findings);
  else findings.add('revocation', "no valid answer of the CA about the signer's certificate is in the container");

  checkAuthorities([chain.slice(1), timeStamp.chain], { material, at: timeStamp.genTime }, findings);
  return statement;
};

/** Whether the certificates of these chains of trust services were good at that moment (epoch milliseconds), by the revocation data given. */
export const checkAuthorities = (
  chains: readonly (readonly Certificate[])[],
  { material, at }: { readonly material: RevocationMaterial; readonly at: number },
  findings: Findings,
): void => {
  for (const [certificate, rest] of chains.flatMap(withRest)) {
    const status = findStatus(material, { certificate, above: rest, at });
    if (status === 'good') continue;
    const name = JSON.stringify(certificate.subjectAttribute(OID.commonName) ?? 'a certificate');
    if (!status) findings.add('revocation', `nothing in the container says whether ${name} was revoked`);
    else findings.add('revoked-authority', `${name} was ${status}`);
  }
};

const checkSigner = ({ status, revokedAt = -Infinity, producedAt, response }: SignerStatement, stamped: number, findings: Findings): void => {
  const stillGood = revokedAt > stamped;
  findings.require(status !== 'unknown', 'revocation', "the CA does not know the signer's certificate");
  findings.require(status !== 'revoked', stillGood ? 'revoked-later' : 'revoked', "the CA says about the signer's certificate: revoked");
  if (!response) return;
  findings.require(heldAt(response, stamped), 'time-order', "the CA's statement about the signer had ended before the signature was time-stamped");
  // OCSP counts whole seconds
  findings.require(
    producedAt >= Math.floor(stamped / 1000) * 1000,
    'time-order',
    'the CA was asked about the signer before the signature was time-stamped',
  );
};

/** The state of a certificate of the trust service, by a CRL or else by an OCSP response. Either of them that says revoked decides. */
const findStatus = (
  material: RevocationMaterial,
  { certificate, above, at }: { certificate: Certificate; above: readonly [Certificate, ...Certificate[]]; at: number },
) => {
  const listed = statusByLists(material.lists, certificate, { above, at });
  const response = findOcsp(material, certificate, above[0]);
  if (response?.status === 'revoked') return response.status;
  if (listed) return listed;
  return response && heldAt(response, at) ? response.status : undefined;
};
