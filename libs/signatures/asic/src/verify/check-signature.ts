import {
  type Certificate,
  isDigestOf,
  isSignatureOver,
  isStrongAlgorithm,
  OID,
  readBer,
  readContentInfo,
  readSignedData,
  type SignedData,
  signerCertificate,
  signingCertificateReference,
  soleValue,
  TAG,
  type TrustStore,
  Untrusted,
} from '#signatures/pki';

import { signingAlgorithm } from '../signing-algorithm.js';
import type { Findings } from './report.js';

/** A signature whose signer is known. */
export interface ReadSignature {
  readonly signedData: SignedData;
  readonly signer: Certificate;
  /** Epoch milliseconds; undefined when the attribute is absent or of another type. */
  readonly signingTime: number | undefined;
}

const MAX_SIGNATURE_BYTES = 1024 * 1024;
const OTHER_REVOCATION_INFO = TAG.constructed(1);

/** EN 319 122-1 §5 and 6: the form of the CMS, its signed attributes, and the signature over the manifest's bytes. Throws MalformedDer. */
export const checkSignature = (p7s: Buffer, manifest: Buffer, findings: Findings): ReadSignature | undefined => {
  const signedData = readSignedData(p7s, MAX_SIGNATURE_BYTES);
  return checkSignedData(signedData, { manifest, suits, contentType: OID.data }, findings);
};

/**
 * {@link checkSignature} of a signature that another program made: in BER too, and by each algorithm that is known. An unknown one is not judged. Throws
 * MalformedDer.
 */
export const checkForeignSignature = (p7s: Buffer, manifest: Buffer, findings: Findings): ReadSignature | undefined => {
  const signedData = readContentInfo(readBer(p7s, MAX_SIGNATURE_BYTES));
  if (!isStrongAlgorithm(signedData.signer.signatureAlgorithm, 0)) {
    findings.cannotJudge('algorithm', 'the algorithm of the signature is outdated or not known here');
    return undefined;
  }
  return checkSignedData(signedData, { manifest, suits: () => true, contentType: signedData.contentType }, findings);
};

interface SignedDataTerms {
  readonly manifest: Buffer;
  /** Whether key and algorithm are allowed, apart from their strength, which the chain is asked for. */
  readonly suits: (certificate: Certificate, signer: SignedData['signer']) => boolean;
  /** That the signed attribute must name. */
  readonly contentType: string;
}

const checkSignedData = (signedData: SignedData, terms: SignedDataTerms, findings: Findings): ReadSignature | undefined => {
  const { manifest } = terms;
  checkForm(signedData, findings);
  const signer = signerCertificate(signedData.signer, signedData.certificates);
  if (!signer) {
    findings.add('signer-certificate', "the signer's certificate is missing");
    return undefined;
  }
  findings.require(terms.suits(signer, signedData.signer), 'algorithm', 'key and hash of the signature do not belong together, or are too weak');
  const holdsManifest = findings.require(
    isDigestOf(signedData.signer, manifest),
    'manifest-changed',
    'the manifest is not the one that was signed, or its digest was changed',
  );
  findings.require(
    !holdsManifest || isSignatureOver(signedData.signer, manifest, terms.contentType, signer),
    'signature-value',
    'the signature is wrong: the signed attributes or the signature were changed',
  );
  const usage = signer.keyUsage;
  findings.require(usage?.has('nonRepudiation') === true, 'signer-key-usage', "the signer's certificate is not for signing documents");
  checkReference(signedData, signer, findings);
  return { signedData, signer, signingTime: readSigningTime(signedData, findings) };
};

/** An RSA key signs by PKCS#1 v1.5 with SHA-512 alone; by RSASSA-PSS, as other services do, with any hash of SHA-2 from 256 bits. */
const suits = (certificate: Certificate, { hash, signatureAlgorithm }: SignedData['signer']): boolean => {
  const own = signingAlgorithm(certificate);
  return own?.hash === hash || (own?.name === 'RS512' && signatureAlgorithm.fields().take().oid() === OID.rsassaPss);
};

const checkForm = (
  { version, contentType, content, otherCertificates, crls, signer, announcesDigest, ordered }: SignedData,
  findings: Findings,
): void => {
  const other = crls?.some(({ tag }) => tag === OTHER_REVOCATION_INFO) ?? false;
  // RFC 5652 §5.1
  findings.require(version === (other ? 5 : 1), 'signature-format', `the CMS says version ${version}, which its contents contradict`);
  findings.require(contentType === OID.data && content === undefined, 'signature-format', 'the signature is not detached');
  findings.require(
    signer.version === 1 && signer.issuerAndSerial !== undefined,
    'signature-format',
    'the signer is not named by issuer and serial number',
  );
  findings.require(announcesDigest, 'signature-format', 'the CMS does not announce the hash that the signer used');
  findings.require(!otherCertificates, 'signature-format', 'the signature holds a certificate of a kind that is not known here');
  findings.require(ordered, 'signature-order', 'a set in the CMS is not in the order of DER');
};

const checkReference = ({ signer: { signed } }: SignedData, signer: Certificate, findings: Findings): void => {
  const reference = signingCertificateReference(signed, signer);
  findings.require(reference !== undefined, 'signing-certificate', "the signature does not say which certificate is the signer's");
  findings.require(reference !== 'names another', 'signing-certificate', 'the signature names another certificate than the one it came with');
};

/** RFC 5652 §11.3: UTCTime through 2049; validators take a GeneralizedTime before that for no time at all. */
const readSigningTime = ({ signer }: SignedData, findings: Findings): number | undefined => {
  const value = soleValue(signer.signed, OID.signingTime);
  const at = value?.time();
  const expected = at !== undefined && at >= Date.UTC(2050, 0, 1) ? TAG.generalizedTime : TAG.utcTime;
  return findings.require(value?.tag === expected, 'signing-time', 'the signature holds no signing time, or one of the wrong type') ? at : undefined;
};

/** The chain at the moment that is proven, or at the claimed one when none is. Undefined, with a finding, when there is none. */
export const checkTrust = (
  { signer, signedData }: ReadSignature,
  { trust, at }: { readonly trust: TrustStore; readonly at: number },
  findings: Findings,
): readonly Certificate[] | undefined => {
  findings.require(isStrongAlgorithm(signedData.signer.signatureAlgorithm, at), 'algorithm', 'the algorithm of the signature was outdated');
  try {
    return trust.chain(signer, signedData.certificates, at);
  } catch (error) {
    if (!(error instanceof Untrusted)) throw error;
    const { rule, message } = UNTRUSTED[error.obstacle ?? 'none'];
    findings.add(rule, message);
    return undefined;
  }
};

const UNTRUSTED = {
  none: { rule: 'trust', message: "no chain leads from the signer's certificate to a root that you trust" },
  expired: { rule: 'expired', message: "the signer's certificate, or one of its chain, was not valid at the time of signing" },
  weak: { rule: 'algorithm', message: "a key or a signature in the chain of the signer's certificate was too weak at the time of signing" },
} as const;
