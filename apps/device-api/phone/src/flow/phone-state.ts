import type { PushedSession } from '../api/phone-api.js';
import type { SessionRequest } from '../api/session-request.js';
import type { DeviceRecord } from './device-record.js';
import type { DeviceCheck } from './device-watch.js';
import type { Arrival, Outcome } from './outcome.js';
import type { PhoneMemory } from './phone-memory.js';
import type { PinFault } from './pin.js';

export type EnrolFault = 'CODE_REFUSED' | 'UNREACHABLE' | 'FAILED';

export type PhoneState =
  | { readonly kind: 'LOADING' }
  | { readonly kind: 'ENROL_CODE'; readonly code: string; readonly fault?: EnrolFault }
  | { readonly kind: 'ENROL_PIN'; readonly fault?: PinFault | 'DIFFERENT' }
  | { readonly kind: 'ENROL_PIN_AGAIN' }
  | { readonly kind: 'ENROLLING' }
  | {
      readonly kind: 'HOME';
      readonly device: DeviceRecord;
      readonly check: DeviceCheck;
      readonly memory: PhoneMemory;
      readonly inbox: readonly PushedSession[];
      readonly notice?: Notice;
    }
  | { readonly kind: 'OPENING' }
  | { readonly kind: 'CONSENT'; readonly request: SessionRequest }
  /** The person chooses the code that the waiting page shows. */
  | { readonly kind: 'CODE'; readonly request: SessionRequest; readonly codes: readonly string[] }
  | { readonly kind: 'PIN'; readonly request: SessionRequest; readonly code?: string; readonly attemptsLeft?: number; readonly unreachable?: true }
  | { readonly kind: 'CONFIRMING'; readonly request: SessionRequest }
  | { readonly kind: 'DECLINING'; readonly request: SessionRequest }
  | {
      readonly kind: 'OUTCOME';
      readonly outcome: Outcome;
      readonly request?: SessionRequest;
      readonly arrival?: Arrival;
      /** The address to which this browser returns: only a request that was opened by a link on this device has it. */
      readonly returnTo?: string;
      /** Epoch seconds, for LOCKED; absent: until this phone is enrolled again. */
      readonly lockedUntil?: number;
    }
  /** The service no longer knows this device. */
  | { readonly kind: 'REVOKED' };

export type Notice = 'UNREADABLE' | 'ALREADY_SET_UP' | 'WELCOME';

/** The states in which a request waits for the person's decision. */
export type OpenState = Extract<PhoneState, { kind: 'CONSENT' | 'CODE' | 'PIN' }>;

export const isOpen = (state: PhoneState): state is OpenState => state.kind === 'CONSENT' || state.kind === 'CODE' || state.kind === 'PIN';
