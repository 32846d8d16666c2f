import {
  BadOcspResponse,
  type Certificate,
  type ListedStatus,
  listedStatus,
  ocspResponseAbout,
  type RevocationStatus,
  type VerifiedOcspResponse,
} from '#signatures/pki';

import type { RevocationMaterial } from './revocation-material.js';

/** What the CA says about the signer's certificate: by an OCSP response, or by a list. */
export interface SignerStatement {
  /** The whole OCSPResponse or CertificateList, DER. */
  readonly der: Buffer;
  readonly status: RevocationStatus;
  /** Epoch milliseconds, like all times here. */
  readonly revokedAt: number | undefined;
  readonly producedAt: number;
  /** The certificate by whose key the statement is signed. */
  readonly by: Certificate;
  /** Absent of a list. */
  readonly response?: VerifiedOcspResponse;
}

interface StatementTerms {
  /** The rest of the signer's chain, the issuer first. */
  readonly above: readonly Certificate[];
  /** The time-stamp. */
  readonly at: number;
}

/**
 * The statement about the signer: an OCSP response, or a list of a CA that has no responder. A list that says revoked takes precedence over both. Throws
 * MalformedDer.
 */
export const signerStatement = (material: RevocationMaterial, signer: Certificate, terms: StatementTerms): SignerStatement | undefined => {
  const listed = listedStatus(material.lists, signer, terms);
  const [issuer] = terms.above;
  const response = issuer && findOcsp(material, signer, issuer);
  if (response && listed?.status !== 'revoked') return { ...response, der: response.response, by: response.responder, response };
  if (!listed || !suffices(listed, signer, terms.at)) return undefined;
  const { status, revokedAt, list, issuer: by } = listed;
  return { der: list.crl, status, revokedAt, producedAt: list.thisUpdate, by };
};

/**
 * A list that is older than the certificate cannot know it. If the CA has a responder, a list from before the time-stamp is no proof either: a thief of
 * the key would choose a list from before the revocation.
 */
const suffices = ({ status, list: { thisUpdate } }: ListedStatus, { notBefore, ocspUrls }: Certificate, at: number): boolean =>
  status === 'revoked' || (thisUpdate >= notBefore && (ocspUrls.length === 0 || thisUpdate >= Math.floor(at / 1000) * 1000));

/**
 * The response that counts among the valid ones about this certificate: one that says revoked, or else one that says unknown, or else the newest. A
 * contradiction never reads good.
 */
export const findOcsp = ({ responses }: RevocationMaterial, certificate: Certificate, issuer: Certificate): VerifiedOcspResponse | undefined => {
  const valid = responses.flatMap((response) => verifiedOcsp(response, certificate, issuer));
  const saying = (status: RevocationStatus) => valid.find((response) => response.status === status);
  return saying('revoked') ?? saying('unknown') ?? valid.toSorted((a, b) => b.producedAt - a.producedAt)[0];
};

const verifiedOcsp = (response: Buffer, certificate: Certificate, issuer: Certificate): VerifiedOcspResponse | readonly [] => {
  try {
    return ocspResponseAbout(response, { certificate, issuer }) ?? [];
  } catch (error) {
    if (error instanceof BadOcspResponse) return [];
    throw error;
  }
};
