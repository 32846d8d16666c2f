import type { ClientId, Clock, EndpointId } from '#kernel';
import type { WebhookEndpoints } from '#domain/relying-party';
import { EndpointNotConfirmed } from '#domain/relying-party';
import type { FindSessionsOfClient, SessionPublication } from '#domain/session';

import { webhookMessageOf } from '../domain/webhook-message.js';
import type { NewDelivery } from '../domain/delivery-request.js';
import type { WebhookMessage } from '../domain/delivery.events.js';
import { isTooOld } from '../domain/retention.js';
import type { DeliveryLogs } from '../delivery/delivery-logs.js';
import type { DeliveryRequests } from '../delivery/delivery-requests.js';
import { deliveryIdOf } from './add-delivery.js';
import { findEndpointToCall } from '../delivery/find-endpoint.js';

export interface TimeSpan {
  /** Epoch milliseconds, the first included, the last not. */
  readonly since: number;
  readonly until: number;
}

/** The number of deliveries that are looked up and requested together. */
const AT_ONCE = 200;
/** More events than a session has. */
const MANY = 1_000;

export interface RecoverParts {
  readonly endpoints: WebhookEndpoints;
  readonly logs: DeliveryLogs;
  readonly requests: DeliveryRequests;
  readonly sessions: Pick<FindSessionsOfClient, 'execute'>;
  readonly publication: Pick<SessionPublication, 'messagesOf'>;
  readonly clock: Clock;
}

/** Asks for the messages that a receiver missed in a span of time: deliveries that ended without success, and events that never became a delivery. */
export class RecoverDeliveries {
  constructor(private readonly parts: RecoverParts) {}

  /**
   * Answers the number of requested deliveries; the endpoint's owner makes them due. Reads the sessions of the client alone, without events that are
   * {@link isTooOld}. Throws ClientNotFound, OwnClientRefused, EndpointNotFound, EndpointNotConfirmed, EventStoreUnavailable, ReadModelsUnavailable and, when the bus fails, ServiceUnavailable.
   * After a failure on the way some deliveries are requested, and a repetition requests the rest.
   */
  async execute(clientId: ClientId, endpointId: EndpointId, span: TimeSpan): Promise<number> {
    const { eventTypes, unconfirmed } = await findEndpointToCall(this.parts.endpoints, clientId, endpointId);
    if (unconfirmed) throw new EndpointNotConfirmed(`not confirmed: ${unconfirmed.because}`);
    const log = await this.parts.logs.of(endpointId);
    await log.refresh();
    let count = 0;
    let found: NewDelivery[] = [];
    const sendAgain = async (): Promise<void> => {
      const known = await log.find(found.map(({ deliveryId }) => deliveryId));
      const unknown = found.filter(({ deliveryId }) => !known.has(deliveryId));
      const failed = [...known.values()].filter(({ state }) => state !== 'pending' && state !== 'succeeded');
      await this.parts.requests.add(unknown);
      await this.parts.requests.retry(endpointId, failed);
      count += unknown.length + failed.length;
      found = [];
    };
    for await (const { id, message } of this.#happened(clientId, span)) {
      if (!(eventTypes as readonly string[]).includes(message.type)) continue;
      found.push({ clientId, endpointId, deliveryId: deliveryIdOf(endpointId, id), message });
      if (found.length >= AT_ONCE) await sendAgain();
    }
    await sendAgain();
    return count;
  }

  async *#happened(clientId: ClientId, span: TimeSpan): AsyncGenerator<{ readonly id: string; readonly message: WebhookMessage }> {
    const { sessions, publication, clock } = this.parts;
    for await (const sessionId of sessions.execute(clientId, span)) {
      for (const published of await publication.messagesOf(sessionId, 0, MANY)) {
        const { at } = published.data;
        if (at < span.since || at >= span.until || isTooOld(at, clock.now()) || published.data.clientId !== clientId) continue;
        const message = webhookMessageOf(published);
        if (message) yield { id: published.id, message };
      }
    }
  }
}
