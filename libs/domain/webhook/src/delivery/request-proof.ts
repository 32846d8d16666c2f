import { type ClientId, type Clock, type EndpointId, type Randomness, ServiceUnavailable } from '#kernel';

import type { DeliveryRequests } from './delivery-requests.js';

export interface ProofRequestParts {
  readonly requests: DeliveryRequests;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

/**
 * Asks for the proof of an address that is about to be stored. In this order no crash leaves an address without its proof; a proof without its address ends
 * untried. While the bus fails the address is stored without: its owner asks for the proof by a ping then.
 */
export const requestProof = async (
  { requests, clock, randomness }: ProofRequestParts,
  { clientId, endpointId, proofId }: { readonly clientId: ClientId; readonly endpointId: EndpointId; readonly proofId: string },
): Promise<void> => {
  const message = { type: 'endpoint.ping', happenedAt: clock.now(), data: { endpointId }, proof: { by: 'address', proofId } as const };
  try {
    await requests.add([{ clientId, endpointId, deliveryId: randomness.uuid(), message }]);
  } catch (error) {
    if (!(error instanceof ServiceUnavailable)) throw error;
  }
};
