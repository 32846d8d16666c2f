import { type ClientId, type Clock, type EndpointId, SharedReads, traceHeaders } from '#kernel';
import type { CloudEvent } from '#engines/message-bus';
import { ClientNotFound, isFor, type WebhookEndpoint, type WebhookEndpoints } from '#domain/relying-party';
import type { SessionFacts } from '#domain/session';

import { webhookMessageOf } from '../domain/webhook-message.js';
import { noticeEndpoint } from '../domain/client-notice.js';
import type { NewDelivery } from '../domain/delivery-request.js';
import { isTooOld } from '../domain/retention.js';
import type { ClientNotices } from '../delivery/client-notices.js';
import type { DeliveryRequests } from '../delivery/delivery-requests.js';
import type { WebhookRecorder } from '../delivery/recorded-webhooks.js';
import { deliveryIdOf } from './add-delivery.js';

/** In place of the id of an endpoint, for the ids of what is sent to none. */
const NO_ENDPOINT = '00000000-0000-4000-8000-000000000000' as EndpointId;

/** The events after which the token endpoint answers something else than that the person has not decided. */
const DECIDED: ReadonlySet<string> = new Set(['session.confirmed', 'session.cancelled', 'session.expired']);

/** Asks for a delivery of one session event to each endpoint that subscribes to its type and was enabled when it happened. */
export class FanOut {
  /** Events of one client that come together need one read of its stream. It begins after they happened, so it shows the endpoints of their time. */
  readonly #endpoints = new SharedReads((clientId: ClientId) => this.endpoints.of(clientId));

  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly notices: Pick<ClientNotices, 'isAwaited'>,
    private readonly requests: DeliveryRequests,
    private readonly clock: Clock,
    private readonly recorder?: Pick<WebhookRecorder, 'unaddressed'>,
  ) {}

  /**
   * When this resolves, the requests are on the bus, and the owners of the endpoints will record the deliveries. Only then may the offset of the event move
   * on. May be called again with the same event. Does nothing for an event that {@link isTooOld}.
   */
  async execute(event: CloudEvent<SessionFacts>): Promise<void> {
    const announced = webhookMessageOf(event);
    if (!announced || isTooOld(announced.happenedAt, this.clock.now())) return;
    const message = { ...announced, ...traceHeaders() };
    const clientId = event.data.clientId as ClientId;
    const all = await this.#endpointsOf(clientId);
    if (all.length === 0) this.recorder?.unaddressed(clientId, deliveryIdOf(NO_ENDPOINT, event.id), announced);
    const endpoints = all.filter((endpoint) => isFor(endpoint, event.type, event.data.at));
    const deliveries = endpoints.map(({ endpointId }) => ({ clientId, endpointId, deliveryId: deliveryIdOf(endpointId, event.id), message }));
    await this.requests.add([...deliveries, ...(await this.#ping(event))]);
  }

  /** The client of a login without a browser may want to be told that it is decided. */
  async #ping({ id, type, data: { sessionId, at, ...facts } }: CloudEvent<SessionFacts>): Promise<readonly NewDelivery[]> {
    const clientId = facts.clientId as ClientId;
    if (!DECIDED.has(type) || !(await this.notices.isAwaited(clientId, sessionId))) return [];
    const endpointId = noticeEndpoint(clientId, 'openid.ping');
    const message = { type: 'openid.ping', happenedAt: at, data: { sessionId }, ...traceHeaders() };
    return [{ clientId, endpointId, deliveryId: deliveryIdOf(endpointId, id), message }];
  }

  async #endpointsOf(clientId: ClientId): Promise<readonly WebhookEndpoint[]> {
    return this.#endpoints.ask(clientId).catch((error: unknown) => {
      if (error instanceof ClientNotFound) return [];
      throw error;
    });
  }
}
