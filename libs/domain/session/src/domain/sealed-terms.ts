import type { RequestedProperties } from '#domain/relying-party';

/** The `sealed` member of SessionCreated: the client's own texts. */
export type SealedTerms = {
  readonly title?: string;
  readonly state?: string;
  /** SIGNING of one document: lower-case hex of the SHA-512 of the client's data. */
  readonly signedDataHash?: string;
  readonly signedDataName?: string;
  /** Bytes, as the client said. */
  readonly signedDataSize?: number;
  /** SIGNING of documents that the client gave as a list. */
  readonly documents?: readonly SessionDocument[];
};

/** A document to sign (specification/relying-party.md#several-documents). */
export type SessionDocument = {
  readonly name: string;
  /** Lower-case hex of its SHA-512. */
  readonly hash: string;
  /** Bytes, as the client said. The signature does not cover it. */
  readonly size?: number;
};

/** The documents of a SIGNING session, however the client gave them. Throws for terms without any. */
export const documentsOf = ({ documents, signedDataHash: hash, signedDataName: name }: SealedTerms): readonly SessionDocument[] => {
  const found = documents ?? (hash !== undefined && name !== undefined ? [{ name, hash }] : []);
  if (found.length === 0) throw new Error('a SIGNING session has a data hash and name');
  return found;
};

/** The `sealed` member of SessionScanned. A repeated scan answers the same. */
export type SealedScan = {
  readonly relyingPartyName: string;
  readonly signatureAlgorithm: SignatureAlgorithm;
  /** AUTHENTICATION: base64 of the bytes that the device signs. SIGNING: stored with the result ({@link SigningStatement}). */
  readonly toBeSigned?: string;
};

/** The values that a device shows and signs for SIGNING. They are erased with the result. */
export type SigningStatement = {
  /** Base64 of the bytes that the device signs. */
  readonly toBeSigned: string;
  /** Base64 of the ASiCManifest whose digest is signed. */
  readonly manifest: string;
  /** Epoch milliseconds, as signed. */
  readonly signingTime: number;
};

/** RFC 7518 section 3.1. The device's key determines it. */
export type SignatureAlgorithm = 'ES256' | 'ES384' | 'RS512';

/** The bytes that a device signs for AUTHENTICATION: UTF-8 JSON of everything it shows, and a challenge (specification/app.md#what-the-phone-signs). */
export type AuthenticationStatement = {
  readonly sessionId: string;
  readonly clientId: string;
  readonly relyingPartyName: string;
  readonly title?: string;
  readonly requested?: RequestedProperties;
  readonly challenge: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
};

/** The finished result of a SIGNING session, sealed in `result-<sessionId>` (specification/relying-party.md#get-result). */
export type SigningResult = {
  /** Base64 ASiC-E. */
  readonly container: string;
  /** Of one document. */
  readonly signedDataHash?: string;
  readonly signedDataName?: string;
  /** Of documents that the client gave as a list. */
  readonly documents?: readonly Omit<SessionDocument, 'size'>[];
  /** Epoch seconds. */
  readonly signingTime: number;
  readonly name: string;
  readonly personalCode: string;
  readonly dateOfBirth?: string;
  readonly country: string;
};
