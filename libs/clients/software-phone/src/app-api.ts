import type { SignatureAlgorithm } from '#clients/device';

/** Answers of `/app/v1` (specification/app.md). Times in epoch seconds, DER in base64. */

export interface EnrolledDevice {
  readonly deviceId: string;
  readonly name: string;
  /** Absent, with the chain, where the service signs nothing. */
  readonly signingCertificate?: string;
  /** The issuing CA first, the root last. */
  readonly certificateChain?: readonly string[];
}

export interface DeviceState {
  readonly deviceId: string;
  readonly status: 'ACTIVE' | 'LOCKED';
  readonly lockedUntil?: number;
}

export interface SessionPreview {
  readonly sessionId: string;
  readonly signatureType: 'AUTHENTICATION' | 'SIGNING';
  readonly relyingPartyName: string;
  readonly relyingPartyDomain?: string;
  /** Of a dynamic QR code: takes the place of the frame at the scan of this device. */
  readonly admission?: string;
}

export interface ScannedSession {
  readonly sessionId: string;
  readonly signatureType: 'AUTHENTICATION' | 'SIGNING';
  readonly relyingPartyName: string;
  readonly relyingPartyDomain?: string;
  readonly title?: string;
  readonly expiresAt: number;
  readonly requested?: { readonly attributes?: readonly string[]; readonly predicates?: readonly string[] };
  readonly signedDataName?: string;
  readonly signedDataHash?: string;
  readonly documents?: readonly { readonly name: string; readonly hash: string; readonly size?: number }[];
  readonly manifest?: string;
  /** Base64. */
  readonly toBeSigned: string;
  readonly signatureAlgorithm: SignatureAlgorithm;
  /** The page to which the person may be sent back. */
  readonly returnUrl?: string;
  /** Of a pushed session: the person chooses the one that the waiting page shows. */
  readonly verificationCodes?: readonly string[];
  /** Of a hosted login: the page where the person waits. */
  readonly waitingPage?: { readonly browser?: string; readonly system?: string; readonly sameNetwork?: boolean };
}

export interface SessionOutcome {
  readonly status: string;
  /** For a hosted login that was opened by a link: the address at which the browser of this device goes on. */
  readonly returnUrl?: string;
  /** Of such a login, where the client allows it: six digits to be typed only into the browser on this phone. */
  readonly number?: string;
}

export interface PendingSessions {
  readonly sessions: readonly {
    readonly sessionId: string;
    readonly expiresAt: number;
    readonly relyingPartyName?: string;
    readonly signatureType?: string;
  }[];
}
