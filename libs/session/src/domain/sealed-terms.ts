import type { RequestedProperties } from './session.events.js';

/** What lies in the `sealed` member of SessionCreated: the client's own texts. */
export type SealedTerms = {
  readonly title?: string;
  readonly state?: string;
  /** SIGNING: lower-case hex of the SHA-512 of the client's data. */
  readonly signedDataHash?: string;
  readonly signedDataName?: string;
};

/** What lies in the `sealed` member of SessionScanned. A repeated scan answers exactly this, never anything new. */
export type SealedScan = {
  readonly relyingPartyName: string;
  /** Base64 of the bytes that the device signs. */
  readonly toBeSigned: string;
  readonly signatureAlgorithm: SignatureAlgorithm;
  /** SIGNING: base64 of the ASiCManifest whose digest is signed. */
  readonly manifest?: string;
  /** SIGNING: epoch milliseconds, as signed. */
  readonly signingTime?: number;
};

/** RFC 7518 section 3.1, by the key. */
export type SignatureAlgorithm = 'ES256' | 'ES384' | 'RS512';

/** What a device signs for AUTHENTICATION: UTF-8 JSON of all it shows, and a challenge of its own (api-extensions 4). */
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

/** What lies, sealed, in `result-<sessionId>` (specification, "GET result"). */
export type SigningResult = {
  /** Base64 ASiC-E. */
  readonly container: string;
  readonly signedDataHash: string;
  readonly signedDataName: string;
  /** Epoch seconds. */
  readonly signingTime: number;
  readonly name: string;
  readonly personalCode: string;
  readonly dateOfBirth?: string;
  readonly country: string;
};
