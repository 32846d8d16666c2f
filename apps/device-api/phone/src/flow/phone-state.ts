import type { BlockedClient, DeviceRecord, OtherDevice, OwnDevice, PushedSession, SessionPreview, SessionRequest } from '#clients/device';
import type { DeviceCheck } from './device-watch.js';
import type { Arrival, Opened, Outcome } from './outcome.js';
import type { PhoneMemory } from './phone-memory.js';
import type { PinFault } from './pin.js';

export type EnrolFault = 'CODE_REFUSED' | 'UNREACHABLE' | 'FAILED';

export type PhoneState =
  | { readonly kind: 'LOADING' }
  | { readonly kind: 'ENROL_CODE'; readonly code: string; readonly fault?: EnrolFault }
  /** The phone reads whose activation code it is. */
  | { readonly kind: 'ENROL_LOOKING' }
  /** The person whose phone this becomes. */
  | { readonly kind: 'ENROL_HOLDER'; readonly holder: string }
  | { readonly kind: 'ENROL_PIN'; readonly fault?: PinFault | 'DIFFERENT' }
  | { readonly kind: 'ENROL_PIN_AGAIN' }
  | { readonly kind: 'ENROLLING' }
  | {
      readonly kind: 'HOME';
      readonly device: DeviceRecord;
      readonly check: DeviceCheck;
      readonly memory: PhoneMemory;
      readonly inbox: readonly PushedSession[];
      /** Absent until they are read. */
      readonly others?: readonly OtherDevice[];
      /** Absent until they are read. */
      readonly blocked?: readonly BlockedClient[];
      readonly notice?: Notice;
    }
  /** The person removes another phone by the PIN. */
  | { readonly kind: 'REVOKE'; readonly target: OwnDevice; readonly attemptsLeft?: number; readonly unreachable?: true }
  | { readonly kind: 'REVOKING' }
  /** The phone reads who asks by a link. */
  | { readonly kind: 'LOOKING' }
  | {
      /** Who asks by a link. Nothing is scanned before the person continues. */
      readonly kind: 'PREVIEW';
      readonly preview: SessionPreview;
      readonly opened: Opened;
      /** Stays open unless the person continues with the link. */
      readonly interrupted?: OpenState;
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
      /** Six digits that finish the login in the browser on this phone (specification/login-ui.md#finishing-by-a-number). */
      readonly number?: string;
      /** Epoch seconds, for LOCKED; absent: until this phone is enrolled again. */
      readonly lockedUntil?: number;
    }
  /** The service no longer knows this device. */
  | { readonly kind: 'REVOKED' };

export type Notice = 'UNREADABLE' | 'ALREADY_SET_UP' | 'WELCOME' | 'PHONE_REMOVED';

export type HomeState = Extract<PhoneState, { kind: 'HOME' }>;

/** The states in which a request waits for the person's decision. */
export type OpenState = Extract<PhoneState, { kind: 'CONSENT' | 'CODE' | 'PIN' }>;

export const isOpen = (state: PhoneState): state is OpenState => state.kind === 'CONSENT' || state.kind === 'CODE' || state.kind === 'PIN';

/** The service has not yet answered an act of the person, or the person removes another phone. */
export const isBusy = ({ kind }: PhoneState): boolean => BUSY.includes(kind);

const BUSY: readonly PhoneState['kind'][] = ['OPENING', 'CONFIRMING', 'DECLINING', 'REVOKE', 'REVOKING'];

/** The person has a decision to make, or has made one that the service has not answered yet. A link must not end this state. */
export const isEngaged = (state: PhoneState): boolean => isOpen(state) || isBusy(state) || state.kind === 'PREVIEW';
