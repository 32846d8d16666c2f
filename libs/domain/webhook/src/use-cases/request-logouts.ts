import { type ClientId, type Clock, type IdentityId, uuidOfName } from '#kernel';
import { type FindClient, takesLogouts } from '#domain/relying-party';

import { noticeEndpoint } from '../domain/client-notice.js';
import type { DeliveryRequests } from '../delivery/delivery-requests.js';

/** Tells clients that a person is to be logged out there (OpenID Connect Back-Channel Logout 1.0). */
export class RequestLogouts {
  constructor(
    private readonly findClient: Pick<FindClient, 'execute'>,
    private readonly requests: Pick<DeliveryRequests, 'add'>,
    private readonly clock: Clock,
  ) {}

  /**
   * One notice for each of these clients that has an address for it, however often this is repeated. `wishedAt` (epoch milliseconds): the person has asked for it; each time of a wish is a
   * notice of its own. Absent: the person is erased. Throws ServiceUnavailable.
   */
  async execute(identityId: IdentityId, clientIds: readonly ClientId[], wishedAt?: number): Promise<void> {
    const clients = await Promise.all([...new Set(clientIds)].map((clientId) => this.findClient.execute(clientId)));
    const cause = wishedAt === undefined ? identityId : `${identityId} ${wishedAt}`;
    const message = { type: 'openid.logout', happenedAt: wishedAt ?? this.clock.now(), data: { identityId } };
    await this.requests.add(
      clients.filter(takesLogouts).map(({ clientId }) => {
        const endpointId = noticeEndpoint(clientId, 'openid.logout');
        return { clientId, endpointId, deliveryId: uuidOfName(cause, endpointId), message };
      }),
    );
  }
}
