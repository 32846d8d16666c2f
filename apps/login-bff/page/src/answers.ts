// Generated from docs/openapi.json: npm run docs:generate

/** The answers of `/login-ui/v1`, by operation. */
export interface Answers {
  /** Claim a handed-over login */
  'POST /login-ui/v1/session/claim': ClaimedLogin;
  /** Describe the claimed login */
  'GET /login-ui/v1/session': LoginDetails;
  /** Push the claimed login again */
  'POST /login-ui/v1/session/push': PushedLogin;
  /** Read the status of the claimed login */
  'GET /login-ui/v1/session/status': LoginState;
  /** Complete the claimed login */
  'POST /login-ui/v1/session/completion': Completion;
  /** Finish the claimed login by a number */
  'POST /login-ui/v1/session/number': Completion;
}

export interface ClaimedLogin {
  readonly sessionId: string;
  readonly status?: SessionStatus;
  /** Epoch seconds; only while the session is open. */
  readonly expiresAt?: number;
  readonly signatureType?: SignatureType;
  readonly pushStatus?: PushStatus;
  readonly relyingPartyName: string;
  /** Host of the redirect URI, where the browser will be sent. */
  readonly relyingPartyDomain?: string;
  /** Start page of that host. */
  readonly relyingPartyUrl?: string;
  /** Of a login through OpenID Connect: where the browser is sent when it ends without success (RFC 6749 section 4.1.2.1). */
  readonly endUrl?: string;
  /** Path of the approved logo below {login_url}. */
  readonly relyingPartyLogo?: string;
  readonly signedDataName?: string;
  /** SHA-512, lower-case hex. */
  readonly signedDataHash?: string;
  /** Bytes, as the client said. */
  readonly signedDataSize?: number;
  /** In place of the three, where the client gave a list of documents. */
  readonly documents?: readonly SessionDocument[];
  /** Of a PENDING session of a client with dynamic QR codes: the present code. */
  readonly qrPayload?: string;
  /** Of a pushed login that is open: the two digits that the person chooses on the phone. */
  readonly verificationCode?: string;
  /** While six digits that the phone shows may finish the login, or may do so once it is confirmed. */
  readonly finishByNumber?: boolean;
  /** Only of a CANCELLED session. */
  readonly reason?: LoginEnd;
}

export type SessionStatus = 'CANCELLED' | 'COMPLETED' | 'CONFIRMED' | 'EXPIRED' | 'PENDING' | 'SCANNED';

export type SignatureType = 'AUTHENTICATION' | 'SIGNING';

export type PushStatus = 'DISPATCHED' | 'NOT_REQUESTED' | 'NO_DEVICE';

export interface SessionDocument {
  readonly name: string;
  /** SHA-512, lower-case hex. */
  readonly hash: string;
  /** Bytes, as the client said. The signature does not cover it. */
  readonly size?: number;
}

export type LoginEnd = 'DECLINED' | 'SIGNING_FAILED' | 'WITHDRAWN' | 'WRONG_CODE';

export interface LoginDetails {
  readonly sessionId: string;
  readonly status: SessionStatus;
  /** Epoch seconds; only while the session is open. */
  readonly expiresAt?: number;
  readonly signatureType: SignatureType;
  readonly pushStatus: PushStatus;
  readonly relyingPartyName: string;
  /** Host of the redirect URI, where the browser will be sent. */
  readonly relyingPartyDomain?: string;
  /** Start page of that host. */
  readonly relyingPartyUrl?: string;
  /** Of a login through OpenID Connect: where the browser is sent when it ends without success (RFC 6749 section 4.1.2.1). */
  readonly endUrl?: string;
  /** Path of the approved logo below {login_url}. */
  readonly relyingPartyLogo?: string;
  readonly signedDataName?: string;
  /** SHA-512, lower-case hex. */
  readonly signedDataHash?: string;
  /** Bytes, as the client said. */
  readonly signedDataSize?: number;
  /** In place of the three, where the client gave a list of documents. */
  readonly documents?: readonly SessionDocument[];
  /** Of a PENDING session of a client with dynamic QR codes: the present code. */
  readonly qrPayload?: string;
  /** Of a pushed login that is open: the two digits that the person chooses on the phone. */
  readonly verificationCode?: string;
  /** While six digits that the phone shows may finish the login, or may do so once it is confirmed. */
  readonly finishByNumber?: boolean;
  /** Only of a CANCELLED session. */
  readonly reason?: LoginEnd;
}

export interface PushedLogin {
  readonly pushStatus: PushStatus;
}

export interface LoginState {
  readonly status: SessionStatus;
  /** Epoch seconds; only while the session is open. */
  readonly expiresAt?: number;
  /** Of a PENDING session of a client with dynamic QR codes: the present code. */
  readonly qrPayload?: string;
}

export interface Completion {
  /** The address for the browser: of a login with the authorization code in it. */
  readonly redirect: string;
}
