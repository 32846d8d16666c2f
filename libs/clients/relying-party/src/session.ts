import type { Answers } from './answers.js';
import type { RequestedProperties } from './properties.js';

type Created = Answers['POST /relying-party/v1/session'];
type Result = Answers['GET /relying-party/v1/session/{sessionId}/result'];

export type SessionState = Answers['GET /relying-party/v1/session/{sessionId}/status'];
export type SessionStatus = SessionState['status'];

/** Whether there is nothing more to wait for, by status. */
export const SETTLED = {
  PENDING: false,
  SCANNED: false,
  CONFIRMED: true,
  COMPLETED: true,
  CANCELLED: true,
  EXPIRED: true,
} as const satisfies Record<SessionStatus, boolean>;

/** The statuses in which there is nothing more to wait for. */
export type SettledStatus = { [Status in SessionStatus]: (typeof SETTLED)[Status] extends true ? Status : never }[SessionStatus];

/** `DISPATCHED` does not promise delivery; at `NO_DEVICE` show a QR code. */
export type PushStatus = Created['pushStatus'];

/** Makes the frames of a QR code that changes each second. Keep it on your server: anyone who has it can make valid codes. */
export interface QrFrames {
  readonly secret: string;
  /** Epoch milliseconds of your server, when the service answered. */
  readonly begunAt: number;
}

export interface LoginRequest {
  /** One of the client's registered redirect URIs, character by character. */
  readonly redirectUri: string;
  /** The service shows the QR code and waits; send the browser to {@link loginPageUrl}. Default: your own waiting page. */
  readonly hostedPage?: boolean;
  /** Only this subject may approve. Given without a value, as null, it is a TypeError: it would open the login to every person. */
  readonly subjectId?: string;
  /** Opens the app on the subject's devices without a QR code. Requires `subjectId`. */
  readonly push?: boolean;
  /** Shown to the user as your text. At most 255 characters. */
  readonly title?: string;
  readonly properties?: RequestedProperties;
  /** Asks for evidence of the login, which `verifyEvidence` checks at any later time. The service needs a key for it. */
  readonly evidence?: boolean;
  /**
   * 1 to 255 visible ASCII characters, a new one for each login. The same key and the same request within 120 s answer the same
   * login, also from another of your servers. Default: a random key, which makes the repetitions inside one call safe.
   */
  readonly idempotencyKey?: string;
}

/** Parts of each session that was begun. */
interface Begun extends Pick<Created, 'sessionId' | 'expiresAt' | 'pushStatus'> {
  /** Only with the hosted page, for {@link loginPageUrl}: valid for one claim within 60 s. */
  readonly handoffToken?: string;
  /** Only on your own page, of a client that is registered with `dynamic_qr`: its code needs {@link qrFrames}, or every scan is refused with `invalid_qr`. */
  readonly qrMode?: 'DYNAMIC';
  /** Beside {@link qrMode}: for `qrPayload`, which makes the code of the moment. Your page asks your server for a new one each second. */
  readonly qrFrames?: QrFrames;
  /** Only on your own page, of a pushed session of a client that is registered with `verification_code`: show these two digits while the person waits. */
  readonly verificationCode?: string;
}

/**
 * A login in progress. Keep all of it in the user's session **on your server** and take none of it from a browser. The browser
 * sees at most the QR code and the address of the hosted page.
 */
export interface PendingLogin extends Begun {
  readonly state: string;
  readonly codeVerifier: string;
}

/** A request for a login on the hosted page. */
export interface HostedLoginRequest extends LoginRequest {
  readonly hostedPage: true;
}

/** A login in progress on the hosted page. Keep it as a {@link PendingLogin}. */
export interface PendingHostedLogin extends PendingLogin {
  readonly handoffToken: string;
}

/** The person who logged in, as the client knows them. */
export type LoginResult = Answers['POST /relying-party/v1/session/token'];

/** The data to sign. Only its SHA-512 is sent. */
export type DataToSign =
  /** The SHA-512, 128 hexadecimal digits. */
  | { readonly sha512: string }
  | Uint8Array
  /** For example the stream of a file. Read once, to its end. */
  | AsyncIterable<Uint8Array>;

export interface SigningRequest {
  readonly data: DataToSign;
  /** The name of the data in the container and on the phone: a file name without a path, at most 255 characters. Default `detached-file`. */
  readonly name?: string;
  /** The size of the data in bytes: the hosted page and the phone show it beside the name. The signature does not cover it. */
  readonly size?: number;
  /** Shown to the signer as your text. At most 255 characters. */
  readonly title?: string;
  /**
   * One of the client's registered redirect URIs: signs on the hosted page, which sends the browser to this address with `state`
   * alone. Default: your own waiting page.
   */
  readonly redirectUri?: string;
  /** Only this subject may sign. */
  readonly subjectId?: string;
  /** Opens the app on the subject's devices without a QR code. Requires `subjectId`. */
  readonly push?: boolean;
  /** As of {@link LoginRequest}. */
  readonly idempotencyKey?: string;
}

/** A request for a signature on the hosted page. */
export interface HostedSigningRequest extends SigningRequest {
  readonly redirectUri: string;
}

/** One of several documents to sign. */
export interface DocumentToSign {
  readonly data: DataToSign;
  /** A file name without a path, at most 255 characters. No two may differ in case or Unicode form alone. */
  readonly name: string;
  /** As of {@link SigningRequest}. */
  readonly size?: number;
}

/** A signature over several documents with one PIN. */
export interface DocumentsRequest extends Omit<SigningRequest, 'data' | 'name' | 'size'> {
  /** 1 to 50. */
  readonly documents: readonly DocumentToSign[];
}

/** A signed document as the service names it. */
export type SignedDocument = NonNullable<Result['documents']>[number];

/** A signing in progress. Keep it in the user's session **on your server**, as a login. */
export interface PendingSigning extends Begun {
  /** Lower case. */
  readonly signedDataHash: string;
  /** Only with `redirectUri`: the value that the callback must carry, for `verifyState`. */
  readonly state?: string;
}

/** A signing in progress on the hosted page. */
export interface PendingHostedSigning extends PendingSigning {
  readonly handoffToken: string;
  readonly state: string;
}

/** A signing of several documents in progress. Store it like a signing of a single document. */
export interface PendingDocuments extends Omit<PendingSigning, 'signedDataHash'> {
  readonly documents: readonly SignedDocument[];
}

/** The signature over several documents, and its signer. */
export interface DocumentsResult extends Signature, Required<Pick<Result, 'documents'>> {}

interface Signature extends Omit<Result, 'container' | 'signedDataHash' | 'signedDataName' | 'documents'> {
  /** ASiC-E: the signature over name and hash. It is complete once it contains the data: see `attach`. */
  readonly container: Uint8Array<ArrayBuffer>;
}

/** The signature and its signer. The service keeps it for 1800 s after signing. */
export interface SigningResult extends Signature, Required<Pick<Result, 'signedDataHash' | 'signedDataName'>> {}

/** A page of the accounts whose subjectId changes. */
export type SubjectMigrations = Answers['GET /relying-party/v1/subject-migrations'];
