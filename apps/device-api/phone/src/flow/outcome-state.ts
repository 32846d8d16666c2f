import type { SessionRequest } from '#clients/device';
import type { Arrival, Outcome } from './outcome.js';
import type { PhoneState } from './phone-state.js';
import { returnAddress } from './return-address.js';

interface Ended {
  readonly arrival: Arrival | undefined;
  readonly request: SessionRequest | undefined;
  /** Epoch seconds. */
  readonly lockedUntil: number | undefined;
}

/** What the phone shows of a request that has ended. Only a request that was opened by a link on this device has an address to return to. */
export const outcomeState = (outcome: Outcome, { arrival, request, lockedUntil }: Ended): PhoneState => {
  const returnTo = arrival === 'LINK' ? returnAddress(request?.returnUrl) : undefined;
  return {
    kind: 'OUTCOME',
    outcome,
    ...(arrival === undefined ? {} : { arrival }),
    ...(request === undefined ? {} : { request }),
    ...(returnTo === undefined ? {} : { returnTo }),
    ...(lockedUntil === undefined ? {} : { lockedUntil }),
  };
};
