import type { RequestedProperties } from './properties.js';

export const SESSION_STATUSES = ['PENDING', 'SCANNED', 'CONFIRMED', 'COMPLETED', 'CANCELLED', 'EXPIRED'] as const;

export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** The statuses in which there is nothing more to wait for. */
export type SettledStatus = Exclude<SessionStatus, 'PENDING' | 'SCANNED'>;

export interface SessionState {
  readonly status: SessionStatus;
  /** Epoch seconds; while the session waits for the user. */
  readonly expiresAt?: number;
}

/** `DISPATCHED` says nothing about delivery; `NO_DEVICE`: show a QR code. */
export type PushStatus = 'NOT_REQUESTED' | 'DISPATCHED' | 'NO_DEVICE';

export interface LoginRequest {
  /** One of the client's registered redirect URIs, character by character. */
  readonly redirectUri: string;
  /** The service shows the QR code and polls; send the browser to {@link loginPageUrl}. Default: your own waiting page. */
  readonly hostedPage?: boolean;
  /** Only this subject may approve. */
  readonly subjectId?: string;
  /** Opens the app on the subject's devices without a QR code. Requires `subjectId`. */
  readonly push?: boolean;
  /** Shown to the user, labelled as coming from you. At most 255 characters. */
  readonly title?: string;
  readonly properties?: RequestedProperties;
  /**
   * 1 to 255 visible ASCII characters, chosen anew for each login: beginning it again with the same key and the same request
   * within 120 s answers the same login, on another of your servers too. Default: a random one, which makes the repetitions
   * inside one call safe.
   */
  readonly idempotencyKey?: string;
}

/**
 * A login that was begun. All of it belongs into the user's session **on your server**: none of it is ever taken from a
 * browser, and of it the browser sees at most the QR code and the address of the hosted page.
 */
export interface PendingLogin {
  readonly sessionId: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
  readonly pushStatus: PushStatus;
  /** Only with `hostedPage`: good for one claim within 60 s. */
  readonly handoffToken?: string;
  readonly state: string;
  readonly codeVerifier: string;
}

/** Who logged in. */
export interface LoginResult {
  /** The same person is always the same subject for one client; unrelated to what any other client is told. */
  readonly subjectId: string;
  /** What was asked and has a value. Absent when no properties were requested. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** One answer per question; a missing datum answers false. Absent when no properties were requested. */
  readonly predicates?: Readonly<Record<string, boolean>>;
}

/** What is to be signed. The data itself stays where it is: only its SHA-512 is sent. */
export type DataToSign =
  /** The SHA-512, 128 hexadecimal digits. */
  | { readonly sha512: string }
  | Uint8Array
  /** A stream of a file, say. Read once, to its end. */
  | AsyncIterable<Uint8Array>;

export interface SigningRequest {
  readonly data: DataToSign;
  /** What the data is called in the container, and on the phone: a file name without a path, at most 255 characters. Default `detached-file`. */
  readonly name?: string;
  /** Shown to the signer, labelled as coming from you. At most 255 characters. */
  readonly title?: string;
  /**
   * Signs on the hosted page, which sends the browser back here with `state` and nothing else: one of the client's registered
   * redirect URIs. Default: your own waiting page.
   */
  readonly redirectUri?: string;
  /** Only this subject may sign. */
  readonly subjectId?: string;
  /** Opens the app on the subject's devices without a QR code. Requires `subjectId`. */
  readonly push?: boolean;
  /** As of {@link LoginRequest}. */
  readonly idempotencyKey?: string;
}

/** A signing that was begun. It belongs into the user's session **on your server**, as a login does. */
export interface PendingSigning {
  readonly sessionId: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
  readonly pushStatus: PushStatus;
  /** Lower case. */
  readonly signedDataHash: string;
  /** Only with `redirectUri`: good for one claim within 60 s. */
  readonly handoffToken?: string;
  /** Only with `redirectUri`: what the browser has to bring back, for `verifyState`. */
  readonly state?: string;
}

/** What was signed, and by whom. Kept by the service for 1800 s after signing. */
export interface SigningResult {
  /** ASiC-E: the signature over name and hash. It is complete when the data lies in it: see `attach`. */
  readonly container: Uint8Array<ArrayBuffer>;
  readonly signedDataHash: string;
  readonly signedDataName: string;
  /** Epoch seconds. */
  readonly signingTime: number;
  /** A convenience, as the fields after it: binding is the certificate inside the container. */
  readonly name: string;
  readonly personalCode: string;
  /** YYYY-MM-DD. Absent where the service knows none. */
  readonly dateOfBirth?: string;
  readonly country: string;
}
