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
  /** Of a change of the service itself, which a person approves: the change in words, in full ({@link AskApproval}). */
  readonly details?: string;
  /** Beside it: base64url of the SHA-256 over the change, which the phone signs too. */
  readonly changeDigest?: string;
  /** Of a login through OpenID Connect. */
  readonly openid?: OpenIdTerms;
};

/** What the token answer of a login through OpenID Connect says of its request. */
export type OpenIdTerms = {
  /** As granted, with blanks between (RFC 6749 section 3.3). */
  readonly scope: string;
  /** OpenID Connect Core section 3.1.2.1: returned unchanged in the ID token. */
  readonly nonce?: string;
  /** Of a login without a browser: authenticates the service to the client, which it tells that the login is decided (CIBA Core section 10.2). */
  readonly notificationToken?: string;
};

/** A document to sign (specification/relying-party.md#several-documents). */
export type SessionDocument = {
  readonly name: string;
  /** SHA-512, lower-case hex. */
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
  readonly signatureAlgorithm: SignedWith;
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
export type SignedWith = 'ES256' | 'ES384' | 'RS512';

/** The bytes that a device signs for AUTHENTICATION: UTF-8 JSON of everything it shows, and a challenge (specification/app.md#what-the-phone-signs). */
export type AuthenticationStatement = {
  readonly sessionId: string;
  readonly clientId: string;
  readonly relyingPartyName: string;
  readonly title?: string;
  readonly requested?: RequestedProperties;
  /** Of a change of the service itself: the change in words, in full. */
  readonly details?: string;
  /** Beside it: base64url of the SHA-256 over method, path and body of the change and the revisions of the streams that it touches. */
  readonly changeDigest?: string;
  readonly challenge: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
};

/** The finished result of a SIGNING session, sealed in `result-<sessionId>` (specification/relying-party.md#get-result). */
export type SigningResult = {
  /**
   * ASiC-E without the data. The client adds the data to complete it.
   *
   * @format byte
   */
  readonly container: string;
  /** SHA-512, lower-case hex. Only for one document. */
  readonly signedDataHash?: string;
  readonly signedDataName?: string;
  /** Only for documents that the client gave as a list. */
  readonly documents?: readonly Omit<SessionDocument, 'size'>[];
  /** Epoch seconds. */
  readonly signingTime: number;
  /** For convenience, as the fields after it: only the certificate inside the container is binding. */
  readonly name: string;
  readonly personalCode: string;
  /**
   * Absent where the service knows none, or only a part of it.
   *
   * @format date
   */
  readonly dateOfBirth?: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
};
