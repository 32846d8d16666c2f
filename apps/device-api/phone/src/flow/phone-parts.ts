import type { DeviceStore, Enrolment, PhoneApi, ReadyRequest } from '#clients/device';
import type { OpenRequest } from './open-request.js';
import type { PhoneMemoryStore } from './phone-memory.js';
import type { PhoneState } from './phone-state.js';

/** The service, the browser's storage, the clock and the page, as the phone uses them. */
export interface PhoneParts {
  readonly api: Pick<
    PhoneApi,
    | 'device'
    | 'devices'
    | 'renewCertificate'
    | 'revokeDevice'
    | 'removeThisDevice'
    | 'preview'
    | 'scan'
    | 'judgePin'
    | 'confirm'
    | 'decline'
    | 'prepareLeaveMessage'
  >;
  readonly store: DeviceStore;
  readonly memory: PhoneMemoryStore;
  readonly openRequest: OpenRequest;
  readonly enrolment: Pick<Enrolment, 'enrol' | 'holder'>;
  readonly appScheme: string;
  /** Epoch milliseconds of the service. */
  readonly now: () => number;
  readonly sendOnLeaving: (request: ReadyRequest) => void;
  readonly onChange: (state: PhoneState) => void;
}
