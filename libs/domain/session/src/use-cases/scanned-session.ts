import type { ClientId, SessionId } from '#kernel';
import type { RequestedProperties } from '#domain/relying-party';

import type { SessionDocument, SignedWith } from '../domain/sealed-terms.js';
import type { SignatureType } from '../domain/session.events.js';
import type { WaitingPage } from '../domain/waiting-pages.js';

/** The values that the app shows before the PIN is entered, and the bytes that it then signs. */
export interface ScannedSession {
  readonly sessionId: SessionId;
  readonly signatureType: SignatureType;
  readonly relyingPartyName: string;
  /** Host of the redirect URI, which the client has registered. Absent where the session has none. */
  readonly relyingPartyDomain?: string;
  readonly title?: string;
  /** Only of a change of the service itself: the change in words, in full. It is part of `toBeSigned`. */
  readonly details?: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
  readonly requested?: RequestedProperties;
  readonly signedDataName?: string;
  /** SHA-512, lower-case hex. */
  readonly signedDataHash?: string;
  /** Bytes, as the client said. The signature does not cover it. */
  readonly signedDataSize?: number;
  /** In place of the three, where the client gave a list of documents. */
  readonly documents?: readonly SessionDocument[];
  /**
   * The ASiCManifest whose digest is signed.
   *
   * @format byte
   */
  readonly manifest?: string;
  /** @format byte */
  readonly toBeSigned: string;
  readonly signatureAlgorithm: SignedWith;
  /**
   * The page to which the person may be sent back.
   *
   * @format uri
   */
  readonly returnUrl?: string;
  /**
   * Only of a login, at a client that takes logouts: by this id the person can be logged out there later.
   *
   * @format uuid
   */
  readonly logoutClientId?: ClientId;
  /** Of a pushed session: the choices for the person. The waiting page shows one of them. */
  readonly verificationCodes?: readonly string[];
  /** Only for a hosted login: the page where the person waits. */
  readonly waitingPage?: WaitingPage;
}
