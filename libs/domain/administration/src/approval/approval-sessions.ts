import type { JsonWebKey } from 'node:crypto';

import type { ClientId, DeviceId, IdentityId, SessionId, SubjectId } from '#kernel';

/** A change that a person is to approve on the phone. */
export interface PhoneRequest {
  readonly clientId: ClientId;
  readonly subjectId: SubjectId;
  readonly title: string;
  readonly details: string;
  readonly changeDigest: string;
  /** Where no page waits that could show the person a verification code: the phone asks for none, and the request lasts so many milliseconds. */
  readonly withoutPage?: { readonly lasts: number };
}

/** What a phone has signed. */
export interface PhoneSignature {
  readonly deviceId: DeviceId;
  readonly identityId: IdentityId;
  /** Base64 of the bytes. */
  readonly toBeSigned: string;
  /** Base64. */
  readonly signature: string;
  /** P-256. */
  readonly publicKey: JsonWebKey;
  readonly changeDigest: string | undefined;
}

/** How persons are asked on their phones. libs/domain/session has the two use cases that do it; the composition root joins them. */
export interface ApprovalSessions {
  /** Sends the request to the person's phones. `expiresAt`: epoch seconds. */
  readonly ask: (request: PhoneRequest) => Promise<{ readonly sessionId: SessionId; readonly expiresAt: number; readonly verificationCode: string }>;
  /** What became of it. `OVER`: declined, expired, or not signed by the phone. The signature is verified each time. */
  readonly find: (sessionId: SessionId) => Promise<{ readonly state: 'WAITING' | 'OVER' } | ({ readonly state: 'SIGNED' } & PhoneSignature)>;
}
