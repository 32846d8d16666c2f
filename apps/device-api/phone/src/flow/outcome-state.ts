import type { Confirmed, SessionRequest } from '#clients/device';
import type { Arrival, Outcome } from './outcome.js';
import type { PhoneState } from './phone-state.js';
import { returnAddress } from './return-address.js';

/** A request, and what the service has answered to its approval. */
export type AnsweredRequest = SessionRequest & Pick<Confirmed, 'number'>;

interface Ended {
  readonly arrival: Arrival | undefined;
  readonly request: AnsweredRequest | undefined;
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
    ...(outcome === 'CONFIRMED' && request?.number !== undefined && { number: request.number }),
    ...(lockedUntil === undefined ? {} : { lockedUntil }),
  };
};
