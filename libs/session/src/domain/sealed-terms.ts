import type { RequestedProperties } from './session.events.js';

/** What lies in the `sealed` member of SessionCreated: the client's own texts. */
export type SealedTerms = {
  readonly title?: string;
  readonly state?: string;
};

/** What lies in the `sealed` member of SessionScanned: what the device was shown, and the bytes it is to sign. */
export type SealedScan = {
  readonly relyingPartyName: string;
  /** Exactly as handed out; a repeated scan answers these, never new ones. Base64. */
  readonly toBeSigned: string;
};

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
