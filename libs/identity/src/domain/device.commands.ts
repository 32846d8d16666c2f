import type { SessionId } from '#kernel';

import type { Enrolment } from './device.events.js';
import type { KeptProof } from './pin-ladder.js';

export type DeviceCommand =
  | { readonly type: 'EnrolDevice'; readonly enrolment: Enrolment }
  /** `right`: whether the proof is the one that was kept; `proof`: the same, kept under today's key. */
  | { readonly type: 'CheckPin'; readonly now: number; readonly sessionId: SessionId; readonly right: boolean; readonly proof: KeptProof }
  | { readonly type: 'RevokeDevice'; readonly now: number };
