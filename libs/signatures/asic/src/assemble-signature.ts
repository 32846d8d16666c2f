import {
  attribute,
  Certificate,
  encode,
  isUniversal,
  OID,
  raw,
  type RevocationEvidence,
  revocationInfo,
  signedData,
  signerInfo,
  type VerifiedTimeStamp,
} from '#signatures/pki';

import { requireSigningAlgorithm } from './signing-algorithm.js';

/** The evidence gathered after the phone signed. Each level adds to the one before; there is no silent fallback to a lower one. */
export type Evidence =
  | { readonly level: 'B' }
  | { readonly level: 'T'; readonly timeStamp: VerifiedTimeStamp }
  | { readonly level: 'LT'; readonly timeStamp: VerifiedTimeStamp; readonly revocation: readonly RevocationEvidence[] };

export interface SignatureParts {
  /** The stored bytes that the phone signed. */
  readonly toBeSigned: Uint8Array;
  /** As {@link verifyDeviceSignature} gave it. */
  readonly signature: Uint8Array;
  /** DER: the signer's certificate, and its chain up to the root. */
  readonly certificate: Uint8Array;
  readonly chain: readonly Uint8Array[];
  readonly evidence: Evidence;
}

/** `signature001.p7s`: the CAdES signature, detached over the manifest (EN 319 122-1, RFC 5652), DER. */
export const assembleSignature = ({ toBeSigned, signature, certificate, chain, evidence }: SignatureParts): Buffer => {
  const signer = Certificate.parse(certificate);
  const { hash } = requireSigningAlgorithm(signer);
  const crls = evidence.level === 'LT' ? revocationInfo(evidence.revocation) : [];
  return encode(
    signedData({
      // RFC 5652 §5.1: 5 as soon as crls holds another format than CRLs
      version: crls.every(isUniversal) ? 1 : 5,
      hash,
      contentType: OID.data,
      certificates: distinct([signer, ...chain.map(Certificate.parse), ...(evidence.level === 'LT' ? evidence.timeStamp.chain : [])]),
      crls,
      signer: signerInfo({
        certificate: signer,
        hash,
        signedAttributes: Buffer.from(toBeSigned),
        signature: Buffer.from(signature),
        unsigned: evidence.level === 'B' ? [] : [attribute(OID.signatureTimeStamp, raw(evidence.timeStamp.token))],
      }),
    }),
  );
};

const distinct = (certificates: readonly Certificate[]): readonly Certificate[] => [
  ...new Map(certificates.map((certificate) => [certificate.fingerprint, certificate])).values(),
];
