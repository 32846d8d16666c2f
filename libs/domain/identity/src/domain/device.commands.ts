import type { DeviceId, SessionId } from '#kernel';

import type { Enrolment } from './device.events.js';
import type { SealedProof } from './pin-ladder.js';

export type DeviceCommand =
  | { readonly type: 'EnrolDevice'; readonly enrolment: Enrolment }
  /** `right`: whether the PIN proof equals the stored one; `proof`: the same proof under the current key of the ring. */
  | { readonly type: 'CheckPin'; readonly now: number; readonly sessionId: SessionId; readonly right: boolean; readonly proof: SealedProof }
  | { readonly type: 'RevokeDevice'; readonly now: number; readonly by?: DeviceId };
