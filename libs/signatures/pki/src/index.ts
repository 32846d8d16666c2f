// the development trust service
export { answerOcsp, type CertificateState } from './development/answer-ocsp.js';
export { answerTimeStamp } from './development/answer-time-stamp.js';
export { DevelopmentCertificateAuthority } from './development/development-certificate-authority.js';
export { type DevelopmentPki, openDevelopmentPki } from './development/development-pki.js';
export { DevelopmentRevocationSource } from './development/development-revocation-source.js';
export { DevelopmentTimestampAuthority } from './development/development-timestamp-authority.js';
export { issueRootCrl } from './development/issue-root-crl.js';

// the ports, and their answers
export { CertificateAuthority, type IssuedCertificate } from './certificates/certificate-authority.js';
export { type AskTerms, type RevocationEvidence, RevocationSource } from './ocsp/revocation-source.js';
export { RevocationSourceByIssuer } from './ocsp/revocation-source-by-issuer.js';
export { TimestampAuthority } from './time-stamp/timestamp-authority.js';

// clients of foreign trust services
export { BadProvisionerKey, readProvisionerKey } from './step-ca/provisioner-key.js';
export { StepCertificateAuthority } from './step-ca/step-certificate-authority.js';
export { CmpCertificateAuthority, type CmpSettings } from './cmp/cmp-certificate-authority.js';
export type { ClientCredentials, Egress } from './http/exchange.js';
export { BadKeyStore, readKeyStore } from './http/key-store.js';
export { HttpRevocationSource } from './http/http-revocation-source.js';
export { HttpTimestampAuthority } from './http/http-timestamp-authority.js';

// certificates, tokens, responses and lists: read and checked
export { Certificate } from './certificates/certificate.js';
export { isRequestByKeyOf } from './certificates/signing-request.js';
export { TrustStore, Untrusted, withIssuers, withRest } from './certificates/trust-store.js';
export { BadCrl, verifyCrl } from './crl/crl.js';
export { heldAt, type ListedStatus, listedStatus, statusByLists } from './crl/status-by-lists.js';
export { BadOcspResponse, type RevocationStatus, type VerifiedOcspResponse, ocspResponseAbout, verifyOcspResponse } from './ocsp/ocsp-response.js';
export { BadTimeStamp, endOfTimeStamp, type VerifiedTimeStamp, verifyTimeStampToken } from './time-stamp/time-stamp-token.js';
export { withValidationData } from './time-stamp/with-validation-data.js';

// CMS
export { isStrongAlgorithm, type SignatureAlgorithm, verifiesUnder } from './cms/algorithms.js';
export type { HashName } from './cms/signature-scheme.js';
export { attribute, signedData, signerInfo } from './cms/build-signed-data.js';
export { revocationInfo } from './cms/revocation-info.js';
export { isDigestOf, isSignatureOver, readContentInfo, readSignedData, type SignedData, signerCertificate, soleValue } from './cms/signed-data.js';
export { signingCertificateReference, signingCertificateV2 } from './cms/signing-certificate.js';

// DER
export {
  contents,
  type DerNode,
  encode,
  generalizedTime,
  integer,
  isUniversal,
  octetString,
  oid,
  raw,
  sequence,
  setOf,
  TAG,
  time,
} from './der/der.js';
export { DerReader } from './der/der-reader.js';
export { MalformedDer } from './der/malformed-der.js';
export { readBer } from './der/read-ber.js';
export { OID } from './der/oids.js';
export { type CertificateProfile, responderProfile, signerProfile, timestampingProfile } from './certificates/certificate-profiles.js';
export { statusIn } from './crl/crl.js';
export { issueCertificate, newSerial } from './certificates/issue-certificate.js';
export { bitString, enumerated, nul, tagged } from './der/der.js';
export { BODY, CMP_OID, type CmpMessage, encodeHeader, encodeMessage, encodeProtectedPart, infoValue, readMessage } from './cmp/cmp-message.js';
export { type CmpProtection, type SharedSecret, macProtection } from './cmp/cmp-protection.js';
export { type TrustServiceUnit, issuerOf } from './development/development-pki.js';
export { digestAlgorithm, signWith, signatureAlgorithm } from './cms/algorithms.js';
export { commonNameIn, readSigningRequest } from './certificates/signing-request.js';
export { trustServiceAddresses } from './certificates/trust-service-addresses.js';
export { certificateId, encodeCertificateId, encodeOcspRequest, nonceExtension } from './ocsp/ocsp-request.js';
export { encodeTimeStampRequest, imprintOf, newNonce } from './time-stamp/time-stamp-request.js';
export { timeStampToken } from './development/answer-time-stamp.js';
