// Generated from docs/openapi.json: npm run docs:generate

/** The answers of `/app/v1`, by operation. */
export interface Answers {
  /** List the clients that this person has blocked */
  'GET /app/v1/blocked-clients': BlockedClientList;
  /** Enrol this phone */
  'POST /app/v1/device': EnrolledDevice;
  /** Read the state of this phone */
  'GET /app/v1/device': OwnDevice;
  /** Renew this phone's signing certificate */
  'POST /app/v1/device/certificate': Certificate;
  /** Read the person of an activation code */
  'POST /app/v1/device/holder': Holder;
  /** List this person's phones */
  'GET /app/v1/devices': DeviceList;
  /** Read whether this phone is woken by pushes */
  'GET /app/v1/push-subscription': PushSubscriptionState;
  /** Read the client of a session */
  'GET /app/v1/session/{sessionId}/client': SessionClient;
  /** List the requests pushed to this person */
  'GET /app/v1/session/pending': PendingSessionList;
  /** Read who asks, before the scan */
  'GET /app/v1/session/{sessionId}': SessionPreview;
  /** Scan a session */
  'POST /app/v1/session/{sessionId}/scan': ScannedSession;
  /** Check the PIN before the phone signs */
  'POST /app/v1/session/{sessionId}/pin': AcceptedPin;
  /** Confirm with the PIN */
  'POST /app/v1/session/{sessionId}/confirm': Confirmation;
  /** Decline a session */
  'POST /app/v1/session/{sessionId}/decline': DeclinedSession;
}

export interface BlockedClientList {
  /** The one that was blocked last comes first. */
  readonly clients: readonly BlockedClient[];
}

export interface BlockedClient {
  readonly clientId: string;
  /** Also of a client that is deleted. */
  readonly relyingPartyName: string;
  /** Epoch seconds. */
  readonly blockedAt: number;
  /** Whether the person has reported the client to the operator. */
  readonly reported: boolean;
}

export interface EnrolledDevice {
  readonly deviceId: string;
  readonly name: string;
  /** Base64. DER. */
  readonly signingCertificate?: string;
  /** Base64 DER, the issuing CA first, the root last. */
  readonly certificateChain?: readonly string[];
}

export interface OwnDevice {
  readonly deviceId: string;
  readonly status: DeviceStatus;
  /** Epoch seconds; absent while LOCKED means until a new enrolment. */
  readonly lockedUntil?: number;
}

export type DeviceStatus = 'ACTIVE' | 'LOCKED';

export interface Certificate {
  /** Base64. DER. */
  readonly signingCertificate: string;
  /** Base64 DER, the issuing CA first, the root last. */
  readonly certificateChain: readonly string[];
}

export interface Holder {
  /** Empty where the person has one name, which is the family name. */
  readonly givenName: string;
  /** Empty where the person has one name, which is the given name. */
  readonly familyName: string;
}

export interface DeviceList {
  /** The newest enrolment first. */
  readonly devices: readonly Device[];
}

export interface Device {
  /** Epoch seconds. */
  readonly enrolledAt: number;
  readonly status: DeviceStatus;
  readonly deviceId: string;
  readonly name: string;
  readonly platform: string;
  /** The device that asks. */
  readonly current: boolean;
}

export interface PushSubscriptionState {
  readonly subscribed: boolean;
  /** The key to subscribe with (`applicationServerKey`), base64url. Absent where the service sends no pushes. */
  readonly publicKey?: string;
}

export interface SessionClient {
  readonly clientId: string;
  /** Also of a client that is deleted. */
  readonly relyingPartyName: string;
}

export interface PendingSessionList {
  readonly sessions: readonly PendingSession[];
}

export interface PendingSession {
  readonly sessionId: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
  readonly signatureType?: SignatureType;
  readonly relyingPartyName?: string;
  /** Only of a change of the service, which the person is asked to approve. */
  readonly change?: boolean;
}

export type SignatureType = 'AUTHENTICATION' | 'SIGNING';

export interface SessionPreview {
  readonly sessionId: string;
  readonly signatureType: SignatureType;
  readonly relyingPartyName: string;
  /** Host of the redirect URI. Absent where the session has none. */
  readonly relyingPartyDomain?: string;
  /** Only for a dynamic QR code, base64url: this device sends it at the scan in place of the frame, which is too old once the person has decided. */
  readonly admission?: string;
}

export interface ScannedSession {
  readonly sessionId: string;
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
  /** Base64. The ASiCManifest whose digest is signed. */
  readonly manifest?: string;
  /** Base64. */
  readonly toBeSigned: string;
  readonly signatureAlgorithm: SignatureAlgorithm;
  /** The page to which the person may be sent back. */
  readonly returnUrl?: string;
  /** Only of a login, at a client that takes logouts: by this id the person can be logged out there later. */
  readonly logoutClientId?: string;
  /** Of a pushed session: the choices for the person. The waiting page shows one of them. */
  readonly verificationCodes?: readonly string[];
  /** Only for a hosted login: the page where the person waits. */
  readonly waitingPage?: WaitingPage;
}

export interface RequestedProperties {
  readonly attributes: readonly string[];
  readonly predicates: readonly string[];
}

export interface SessionDocument {
  readonly name: string;
  /** SHA-512, lower-case hex. */
  readonly hash: string;
  /** Bytes, as the client said. The signature does not cover it. */
  readonly size?: number;
}

export type SignatureAlgorithm = 'ES256' | 'ES384' | 'RS512';

export interface WaitingPage {
  /** The browser that claimed the login, as the browser names itself. */
  readonly browser?: string;
  /** The system of that browser, as the browser names it. */
  readonly system?: string;
  /** Whether that browser is in the network of this phone. Absent if the service does not know. */
  readonly sameNetwork?: boolean;
}

export interface AcceptedPin {
  readonly accepted: boolean;
  /** For SIGNING: the time of the PIN, which the phone signs as signing-time. Epoch seconds. */
  readonly signingTime?: number;
}

export interface Confirmation {
  readonly status: ConfirmationStatus;
  /** For a hosted login that was opened by a link: the address at which the browser of this device goes on, with the return token. */
  readonly returnUrl?: string;
  /** For such a login of a client with finish_by_number: six digits, which the person types only into the browser on this phone. */
  readonly number?: string;
}

export type ConfirmationStatus = 'CONFIRMED' | 'SCANNED';

export interface DeclinedSession {
  readonly status: DeclinedStatus;
}

export type DeclinedStatus = 'CANCELLED';
