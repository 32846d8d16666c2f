// Generated from docs/openapi.json: npm run docs:generate

/** The answers of `/app/v1`, by operation. */
export interface Answers {
  /** List the clients that this person has blocked */
  'GET /app/v1/blocked-clients': {
    /** The one that was blocked last comes first. */
    readonly clients: readonly {
      readonly clientId: string;
      /** Also of a client that is deleted. */
      readonly relyingPartyName: string;
      /** Epoch seconds. */
      readonly blockedAt: number;
      /** Whether the person has reported the client to the operator. */
      readonly reported: boolean;
    }[];
  };
  /** Enrol this phone */
  'POST /app/v1/device': {
    readonly deviceId: string;
    readonly name: string;
    /** Base64. DER. */
    readonly signingCertificate?: string;
    /** Base64 DER, the issuing CA first, the root last. */
    readonly certificateChain?: readonly string[];
  };
  /** Read the state of this phone */
  'GET /app/v1/device': {
    readonly deviceId: string;
    readonly status: 'ACTIVE' | 'LOCKED';
    /** Epoch seconds; absent while LOCKED means until a new enrolment. */
    readonly lockedUntil?: number;
  };
  /** Renew this phone's signing certificate */
  'POST /app/v1/device/certificate': {
    /** Base64. DER. */
    readonly signingCertificate: string;
    /** Base64 DER, the issuing CA first, the root last. */
    readonly certificateChain: readonly string[];
  };
  /** Read the person of an activation code */
  'POST /app/v1/device/holder': {
    /** Empty where the person has one name, which is the family name. */
    readonly givenName: string;
    /** Empty where the person has one name, which is the given name. */
    readonly familyName: string;
  };
  /** List this person's phones */
  'GET /app/v1/devices': {
    /** The newest enrolment first. */
    readonly devices: readonly {
      /** Epoch seconds. */
      readonly enrolledAt: number;
      readonly status: 'ACTIVE' | 'LOCKED';
      readonly deviceId: string;
      readonly name: string;
      readonly platform: string;
      /** The device that asks. */
      readonly current: boolean;
    }[];
  };
  /** Read whether this phone is woken by pushes */
  'GET /app/v1/push-subscription': {
    readonly subscribed: boolean;
    /** The key to subscribe with (`applicationServerKey`), base64url. Absent where the service sends no pushes. */
    readonly publicKey?: string;
  };
  /** Read the client of a session */
  'GET /app/v1/session/{sessionId}/client': {
    readonly clientId: string;
    /** Also of a client that is deleted. */
    readonly relyingPartyName: string;
  };
  /** List the requests pushed to this person */
  'GET /app/v1/session/pending': {
    readonly sessions: readonly {
      readonly sessionId: string;
      /** Epoch seconds. */
      readonly expiresAt: number;
      readonly signatureType?: 'AUTHENTICATION' | 'SIGNING';
      readonly relyingPartyName?: string;
      /** Only of a change of the service, which the person is asked to approve. */
      readonly change?: boolean;
    }[];
  };
  /** Read who asks, before the scan */
  'GET /app/v1/session/{sessionId}': {
    readonly sessionId: string;
    readonly signatureType: 'AUTHENTICATION' | 'SIGNING';
    readonly relyingPartyName: string;
    /** Host of the redirect URI. Absent where the session has none. */
    readonly relyingPartyDomain?: string;
    /** Only for a dynamic QR code, base64url: this device sends it at the scan in place of the frame, which is too old once the person has decided. */
    readonly admission?: string;
  };
  /** Scan a session */
  'POST /app/v1/session/{sessionId}/scan': {
    readonly sessionId: string;
    readonly signatureType: 'AUTHENTICATION' | 'SIGNING';
    readonly relyingPartyName: string;
    /** Host of the redirect URI, which the client has registered. Absent where the session has none. */
    readonly relyingPartyDomain?: string;
    readonly title?: string;
    /** Only of a change of the service itself: the change in words, in full. It is part of `toBeSigned`. */
    readonly details?: string;
    /** Epoch seconds. */
    readonly expiresAt: number;
    readonly requested?: {
      readonly attributes: readonly string[];
      readonly predicates: readonly string[];
    };
    readonly signedDataName?: string;
    /** SHA-512, lower-case hex. */
    readonly signedDataHash?: string;
    /** Bytes, as the client said. The signature does not cover it. */
    readonly signedDataSize?: number;
    /** In place of the three, where the client gave a list of documents. */
    readonly documents?: readonly {
      readonly name: string;
      /** SHA-512, lower-case hex. */
      readonly hash: string;
      /** Bytes, as the client said. The signature does not cover it. */
      readonly size?: number;
    }[];
    /** Base64. The ASiCManifest whose digest is signed. */
    readonly manifest?: string;
    /** Base64. */
    readonly toBeSigned: string;
    readonly signatureAlgorithm: 'ES256' | 'ES384' | 'RS512';
    /** The page to which the person may be sent back. */
    readonly returnUrl?: string;
    /** Only of a login, at a client that takes logouts: by this id the person can be logged out there later. */
    readonly logoutClientId?: string;
    /** Of a pushed session: the choices for the person. The waiting page shows one of them. */
    readonly verificationCodes?: readonly string[];
    /** Only for a hosted login: the page where the person waits. */
    readonly waitingPage?: {
      /** The browser that claimed the login, as the browser names itself. */
      readonly browser?: string;
      /** The system of that browser, as the browser names it. */
      readonly system?: string;
      /** Whether that browser is in the network of this phone. Absent if the service does not know. */
      readonly sameNetwork?: boolean;
    };
  };
  /** Check the PIN before the phone signs */
  'POST /app/v1/session/{sessionId}/pin': {
    readonly accepted: boolean;
    /** For SIGNING: the time of the PIN, which the phone signs as signing-time. Epoch seconds. */
    readonly signingTime?: number;
  };
  /** Confirm with the PIN */
  'POST /app/v1/session/{sessionId}/confirm': {
    readonly status: 'CONFIRMED' | 'SCANNED';
    /** For a hosted login that was opened by a link: the address at which the browser of this device goes on, with the return token. */
    readonly returnUrl?: string;
    /** For such a login of a client with finish_by_number: six digits, which the person types only into the browser on this phone. */
    readonly number?: string;
  };
  /** Decline a session */
  'POST /app/v1/session/{sessionId}/decline': {
    readonly status: 'CANCELLED';
  };
}
