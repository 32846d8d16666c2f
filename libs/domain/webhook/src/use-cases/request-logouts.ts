import { type ClientId, type Clock, type IdentityId, uuidOfName } from '#kernel';
import type { FindClient } from '#domain/relying-party';

import { noticeEndpoint } from '../domain/client-notice.js';
import type { DeliveryRequests } from '../delivery/delivery-requests.js';

/** Tells clients that an erased person is to be logged out there (OpenID Connect Back-Channel Logout 1.0). */
export class RequestLogouts {
  constructor(
    private readonly findClient: Pick<FindClient, 'execute'>,
    private readonly requests: Pick<DeliveryRequests, 'add'>,
    private readonly clock: Clock,
  ) {}

  /** One notice for each of these clients that has an address for it, however often this is repeated. Throws ServiceUnavailable. */
  async execute(identityId: IdentityId, clientIds: readonly ClientId[]): Promise<void> {
    const clients = await Promise.all([...new Set(clientIds)].map((clientId) => this.findClient.execute(clientId)));
    const told = clients.flatMap((client) => (client?.enabled && client.backchannelLogoutUri ? [client.clientId] : []));
    await this.requests.add(
      told.map((clientId) => {
        const endpointId = noticeEndpoint(clientId, 'openid.logout');
        const message = { type: 'openid.logout', happenedAt: this.clock.now(), data: { identityId } };
        return { clientId, endpointId, deliveryId: uuidOfName(identityId, endpointId), message };
      }),
    );
  }
}
