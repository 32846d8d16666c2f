import type { ClientId } from '#kernel';
import type { FoundEnrolment } from '#domain/identity';

import type { FinishedBy } from './session.events.js';

/**
 * What proves a login to others than the service: the phone has signed what it showed (specification/relying-party.md#evidence-of-a-login). Times are epoch milliseconds.
 */
export interface LoginEvidence {
  readonly clientId: ClientId;
  readonly subjectId: string;
  /** Base64 of the bytes that the phone has signed: {@link AuthenticationStatement}. */
  readonly toBeSigned: string;
  /** Base64, ES256 as IEEE P1363. */
  readonly signature: string;
  /** Of the phone. */
  readonly publicKey: FoundEnrolment['authenticationKey'];
  readonly enrolledAt: number;
  readonly confirmedAt: number;
  readonly finishedBy?: FinishedBy;
}

/** Makes a JWS in compact serialization. Never throws. */
export type SignEvidence = (evidence: LoginEvidence) => Promise<string>;

/** Signs the evidence of logins with a key of the service. */
export abstract class EvidenceSigner {
  /** With the key of now. Undefined where the service has none. */
  abstract current(): SignEvidence | undefined;
}
