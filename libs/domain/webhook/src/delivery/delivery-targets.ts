import { type Clock, type Sealer, Secret } from '#kernel';
import { ClientNotFound, signingSecrets, type WebhookEndpoint, type WebhookEndpoints } from '#domain/relying-party';
import type { SessionPublication } from '#domain/session';

import { isNotice } from '../domain/client-notice.js';
import type { Delivery } from '../domain/delivery.js';
import type { DeliveryEnd } from '../domain/delivery.events.js';
import { signedMessage } from '../domain/message-body.js';
import { scheduleOf } from '../domain/schedule.js';
import { webhookMessageOf } from '../domain/webhook-message.js';
import type { ClientNotices } from './client-notices.js';
import type { DeliveryLog } from './delivery-log.js';
import type { PostRequest } from './guarded-post.js';

export interface DeliveryTargetsParts {
  readonly endpoints: Pick<WebhookEndpoints, 'of'>;
  readonly notices: Pick<ClientNotices, 'requestOf'>;
  readonly sessions: Pick<SessionPublication, 'messagesOf'>;
  readonly sealer: Sealer;
  readonly clock: Clock;
}

/** A session event that cannot be read this long after it happened was erased: the bus is ahead of reads for less. Milliseconds. */
const READABLE_WITHIN = 60_000;

/** More events than a session has. */
const MANY = 1_000;

/** The request of an attempt; the signature is of the time of the attempt. */
export type DeliveryTarget = () => Omit<PostRequest, 'signal'>;

/** Where deliveries go. */
export class DeliveryTargets {
  constructor(private readonly parts: DeliveryTargetsParts) {}

  /** How the delivery ends where no attempt is made any more. */
  async find(log: DeliveryLog, delivery: Delivery): Promise<DeliveryTarget | DeliveryEnd> {
    const { clientId, message } = delivery;
    if (isNotice(message.type)) {
      const request = await this.parts.notices.requestOf(clientId, message);
      return request ? () => request : 'disabled';
    }
    const endpoint = await this.#usable(log, delivery);
    const end = endpoint ? await this.#outdated(endpoint, delivery) : 'disabled';
    return endpoint && !end ? () => this.#signed(endpoint, delivery) : (end ?? 'disabled');
  }

  async #usable({ endpointId }: DeliveryLog, { clientId, message }: Delivery): Promise<WebhookEndpoint | undefined> {
    try {
      const endpoint = (await this.parts.endpoints.of(clientId)).find((each) => each.endpointId === endpointId);
      if (endpoint?.unconfirmed) return undefined;
      return endpoint?.disabledBecause === null || message.type === 'endpoint.ping' ? endpoint : undefined;
    } catch (error) {
      if (error instanceof ClientNotFound) return undefined;
      throw error;
    }
  }

  /** Every message gets a first attempt. Afterwards, one of the interactive schedule ends when the session has gone on. */
  async #outdated({ eventTypes }: WebhookEndpoint, { tries, message }: Delivery): Promise<DeliveryEnd | undefined> {
    const { sessionId, sequence } = message.data;
    if (tries === 0 || scheduleOf(message.type).name !== 'interactive' || sessionId === undefined || sequence === undefined) return undefined;
    const [own, ...later] = await this.parts.sessions.messagesOf(sessionId, sequence, sequence + MANY);
    if (own?.esrevision !== sequence) return message.happenedAt < this.parts.clock.now() - READABLE_WITHIN ? 'lapsed' : undefined;
    const announced = later.flatMap((one) => webhookMessageOf(one)?.type ?? []);
    if (announced.length === 0) return undefined;
    return announced.some((type) => (eventTypes as readonly string[]).includes(type)) ? 'superseded' : 'lapsed';
  }

  #signed({ url, endpointId, ...endpoint }: WebhookEndpoint, { deliveryId, message }: Delivery): Omit<PostRequest, 'signal'> {
    const { sealer, clock } = this.parts;
    const now = clock.now();
    const secrets = signingSecrets({ url, endpointId, ...endpoint }, now).map((sealed) => new Secret(sealer.open<string>(sealed, endpointId)));
    return { url, ...signedMessage(deliveryId, message, secrets, now) };
  }
}
