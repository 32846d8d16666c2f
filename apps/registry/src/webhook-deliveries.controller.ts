import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';

import { PathId, Route } from '#service/http';
import { type ClientId, Clock, type EndpointId, epochSeconds } from '#kernel';
import { DeliveryNotFound, type DeliveryRecord, ListDeliveries, PingWebhookEndpoint, RecoverDeliveries, RetryDelivery } from '#domain/webhook';

import { ClientLimits } from './client-limits.js';
import { ClientIdParam } from './clients.controller.js';
import { PageDto } from './page.dto.js';
import type { Paged } from './page.js';
import { EndpointIdParam } from './webhook-endpoints.controller.js';
import { RecoverDto } from './webhook-endpoints.dto.js';

interface ShownAttempt {
  /** Epoch seconds. */
  readonly at: number;
  /** Of a proof that failed by an answer: that answer's status, and in `error` why. */
  readonly status?: number;
  readonly error?: NonNullable<DeliveryRecord['attempts'][number]['error']>;
}

interface ShownDelivery {
  readonly deliveryId: string;
  /** The header `webhook-id` of every attempt. The six pings of a proof have ids of their own. */
  readonly webhookId: string;
  readonly sessionId?: string;
  readonly type: string;
  readonly state: DeliveryRecord['state'];
  readonly attempts: readonly ShownAttempt[];
  /** The body of every attempt, as it was signed. */
  readonly payload: string;
  /** When the next attempt is due, epoch seconds. Only while the delivery is pending. */
  readonly nextAttemptAt?: number;
}

interface DeliveryPage extends Paged {
  /** Newest first. */
  readonly deliveries: readonly ShownDelivery[];
}

/** The list of deliveries shows the outcome. */
interface DueDelivery {
  readonly deliveryId: string;
}

interface Recovered {
  /** The number of deliveries that are due now. */
  readonly recovered: number;
}

@ApiBearerAuth('admin')
@Controller('admin/v1/clients/:clientId/webhook-endpoints/:endpointId')
export class WebhookDeliveriesController {
  constructor(
    private readonly pingEndpoint: PingWebhookEndpoint,
    private readonly recoverDeliveries: RecoverDeliveries,
    private readonly listDeliveries: ListDeliveries,
    private readonly retryDelivery: RetryDelivery,
    private readonly clock: Clock,
    private readonly limits: ClientLimits,
  ) {}

  /** Sends `endpoint.ping`: to an unconfirmed endpoint three rightly and three wrongly signed ones. The list of deliveries shows the outcome. */
  @Post('ping')
  @HttpCode(202)
  @Route({ ignoreBody: true })
  async ping(@ClientIdParam() clientId: ClientId, @EndpointIdParam() endpointId: EndpointId): Promise<DueDelivery> {
    return { deliveryId: await this.limits.ping(clientId, endpointId, () => this.pingEndpoint.execute(clientId, endpointId)) };
  }

  /** Sends the messages again that did not arrive. */
  @Post('recover')
  @HttpCode(202)
  async recover(
    @ClientIdParam() clientId: ClientId,
    @EndpointIdParam() endpointId: EndpointId,
    @Body() { since, until }: RecoverDto,
  ): Promise<Recovered> {
    const span = { since: since * 1000, until: until === undefined ? this.clock.now() + 1 : until * 1000 };
    return { recovered: await this.limits.recover(clientId, () => this.recoverDeliveries.execute(clientId, endpointId, span)) };
  }

  @Get('deliveries')
  async list(
    @ClientIdParam() clientId: ClientId,
    @EndpointIdParam() endpointId: EndpointId,
    @Query() { limit, after }: PageDto,
  ): Promise<DeliveryPage> {
    const { entries, ...next } = await this.listDeliveries.execute(clientId, endpointId, { limit, after: after?.toLowerCase() });
    return { deliveries: entries.map(shown), ...next };
  }

  @Post('deliveries/:deliveryId/retry')
  @HttpCode(202)
  @Route({ ignoreBody: true })
  async retry(
    @ClientIdParam() clientId: ClientId,
    @EndpointIdParam() endpointId: EndpointId,
    @Param('deliveryId', new PathId(() => new DeliveryNotFound('no UUID'))) deliveryId: string,
  ): Promise<DueDelivery> {
    await this.retryDelivery.execute(clientId, endpointId, deliveryId);
    return { deliveryId };
  }
}

const shown = ({ deliveryId, message, state, attempts, payload, nextAt }: DeliveryRecord): ShownDelivery => ({
  deliveryId,
  webhookId: deliveryId,
  ...(message.data.sessionId !== undefined && { sessionId: message.data.sessionId }),
  type: message.type,
  state,
  attempts: attempts.map(({ at, ...outcome }) => ({ at: epochSeconds(at), ...outcome })),
  payload,
  ...(nextAt !== undefined && { nextAttemptAt: epochSeconds(nextAt) }),
});
