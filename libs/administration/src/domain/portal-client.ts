import { type ClientId, hmac, type RingKey, uuidOf } from '#kernel';

/** The client of the portal. The same in every process: the portal registers it under this id with the first login. `index`: the key that does not rotate. */
export const portalClientId = (index: RingKey, environment: string): ClientId =>
  uuidOf<ClientId>(hmac(index.key.reveal(), 'portal-client', environment));
