import type { ScanTarget } from '#clients/device';

/** How a request came to this phone. A link was opened on this device; the others may have begun anywhere. */
export type Arrival = 'CAMERA' | 'PASTE' | 'LINK' | 'INBOX';

/** A request that has reached this phone. */
export interface Opened {
  readonly link: ScanTarget;
  readonly arrival: Arrival;
  /** The person has seen who asks by the link, and goes on. */
  readonly agreed?: true;
}

/** The same for the service (specification/login-ui.md#logins-opened-by-a-link). A pasted text was shown by another screen, as a code. */
export const viaOf = (arrival: Arrival): 'link' | 'push' | undefined => (arrival === 'LINK' ? 'link' : arrival === 'INBOX' ? 'push' : undefined);

/** How a request ended, as this phone shows it. */
export type Outcome =
  | 'CONFIRMED'
  | 'SIGNED'
  | 'DECLINED'
  /** The page was left while it showed the request, which declines it. */
  | 'LEFT'
  | 'EXPIRED'
  /** Another code was chosen than the waiting page shows, which cancels the request. */
  | 'WRONG_CODE'
  /** Another phone of the person had taken the request, and was revoked. */
  | 'PHONE_REMOVED'
  | 'USED_ON_ANOTHER_PHONE'
  | 'NOT_FOR_YOU'
  | 'NOT_KNOWN'
  /** The frame of a rotating QR code is outdated. */
  | 'CODE_TOO_OLD'
  | 'LOCKED'
  /** The bytes to sign do not match the request: nothing was shown, nothing signed. */
  | 'NOT_WHAT_IT_SAYS'
  /** The service no longer verifies this device's signatures, or its signing certificate has ended or was revoked. */
  | 'SET_UP_AGAIN'
  | 'UNREACHABLE'
  | 'FAILED';
