import { ClientNotFound } from './client.errors.js';
import type { ClientState, RegisteredClient } from './client.js';

/** The client, which exists and was not deleted. Throws {@link ClientNotFound}. */
export const registered = (client: ClientState): RegisteredClient => {
  if (client.status !== 'REGISTERED') throw new ClientNotFound('no such client');
  return client;
};
