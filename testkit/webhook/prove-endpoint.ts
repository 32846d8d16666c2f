import { eventually } from '../kernel/eventually.js';
import type { ProvingReceiver } from './proving-receiver.js';

export interface EndpointToProve {
  readonly receiver: Pick<ProvingReceiver, 'prove'>;
  readonly secret: string;
  readonly ping: () => Promise<unknown>;
  /** The endpoint as the list of endpoints shows it. */
  readonly shown: () => Promise<Readonly<Record<string, unknown>>>;
}

/** Lets a receiver double prove itself; the endpoint is confirmed when this resolves, and the receiver takes pings as messages again. */
export const proveEndpoint = async ({ receiver, secret, ping, shown }: EndpointToProve): Promise<void> => {
  receiver.prove(secret);
  await ping();
  let endpoint: Readonly<Record<string, unknown>> = {};
  await eventually(async () => (endpoint = await shown())['state'] === 'confirmed', { what: () => JSON.stringify(endpoint) });
  receiver.prove(undefined);
};
