import { type ClientId, DomainError, hmac, type RingKey, uuidOf } from '#kernel';

/** The client of the portal. The same in every process: the portal registers it under this id when it starts. `index`: the key that does not rotate. */
export const portalClientId = (index: RingKey, environment: string): ClientId =>
  uuidOf<ClientId>(hmac(index.key.reveal(), 'portal-client', environment));

/** A request would have changed the service's own client. */
export class OwnClientRefused extends DomainError {
  readonly code = 'forbidden';

  constructor() {
    super('the own client of the service', "This is the service's own client. The service keeps it; no request changes it.");
  }
}

/**
 * The service's own client, by which persons log in to the portal (specification/admin.md#the-services-own-client). It is known by its id, which is derived
 * from a key.
 */
export class OwnClient {
  readonly clientId: ClientId;
  /** No other client may take this name, nor one that looks like it. */
  readonly name = 'Countersign portal';

  /** `index`: the key that does not rotate. */
  constructor(index: RingKey, environment: string) {
    this.clientId = portalClientId(index, environment);
  }

  /** For every use case that changes a client, or what belongs to one. Throws {@link OwnClientRefused} for the service's own client. */
  assertIsNot(clientId: ClientId | undefined): void {
    if (clientId === this.clientId) throw new OwnClientRefused();
  }
}
