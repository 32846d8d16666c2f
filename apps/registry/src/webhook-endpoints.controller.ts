import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Req } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import type { Administrator } from '#domain/administration';
import { PathId, Principal, Route } from '#service/http';
import { type ClientId, type EndpointId, epochSeconds, InvalidRequest } from '#kernel';
import { type DisabledBecause, EndpointNotFound, type UnconfirmedBecause, type WebhookEndpoint } from '#domain/relying-party';
import {
  AddWebhookEndpoint,
  ChangeWebhookEndpoint,
  EndpointHealth,
  ListWebhookEndpoints,
  RemoveWebhookEndpoint,
  RotateWebhookSecret,
} from '#domain/webhook';

import { ChangedClients } from './changed-clients.js';
import { CriticalChanges } from './critical-changes.js';
import { ClientIdParam } from './clients.controller.js';
import { PageDto } from './page.dto.js';
import type { Paged } from './page.js';
import { AddWebhookEndpointDto, ChangeWebhookEndpointDto, changedWebhookTermsOf, newWebhookTermsOf } from './webhook-endpoints.dto.js';

export const EndpointIdParam = (): ParameterDecorator => Param('endpointId', new PathId(() => new EndpointNotFound('no UUID')));

interface ShownEndpoint {
  readonly endpointId: string;
  /** @format uri */
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly enabled: boolean;
  /** STAFF, GONE (it answered 410) or FAILING (no attempt succeeded for five days). */
  readonly disabledBecause?: DisabledBecause;
  /** Nothing is sent to an unconfirmed endpoint: its receiver has not proved yet that it verifies signatures. */
  readonly state: 'unconfirmed' | 'confirmed';
  /**
   * Only of an unconfirmed endpoint: NOT_TRIED, NO_ANSWER (to a ping), RIGHT_REFUSED (a rightly signed ping was not answered 2xx) or WRONG_NOT_REFUSED (a
   * wrongly signed ping was not answered 400, 401 or 403).
   */
  readonly unconfirmedBecause?: UnconfirmedBecause;
  /** No attempt has succeeded since then, epoch seconds. Absent when the last attempt succeeded or there was none. After five days the endpoint is disabled. */
  readonly failingSince?: number;
  /** The previous secret also signs until then, epoch seconds. */
  readonly previousSecretUntil?: number;
}

interface AddedEndpoint extends ShownEndpoint {
  /** `whsec_…`, returned only here. */
  readonly secret: string;
}

interface EndpointPage extends Paged {
  readonly webhookEndpoints: readonly ShownEndpoint[];
}

interface RotatedSecret {
  /** `whsec_…`, returned only here. The previous secret also signs for 24 hours. */
  readonly secret: string;
}

interface EndpointChange {
  readonly clientId: ClientId;
  readonly endpointId: EndpointId;
  /** What happens to the endpoint. */
  readonly words: string;
}

@ApiBearerAuth('admin')
@Controller('admin/v1/clients/:clientId/webhook-endpoints')
export class WebhookEndpointsController {
  constructor(
    private readonly addEndpoint: AddWebhookEndpoint,
    private readonly changeEndpoint: ChangeWebhookEndpoint,
    private readonly removeEndpoint: RemoveWebhookEndpoint,
    private readonly rotateSecret: RotateWebhookSecret,
    private readonly listEndpoints: ListWebhookEndpoints,
    private readonly health: EndpointHealth,
    private readonly clients: ChangedClients,
    private readonly criticalChanges: CriticalChanges,
  ) {}

  /** Its receiver is asked for a proof after a minute, and by a ping. */
  @Post()
  async add(@ClientIdParam() clientId: ClientId, @Body() body: AddWebhookEndpointDto): Promise<AddedEndpoint> {
    const { endpoint, secret } = await this.addEndpoint.execute(clientId, newWebhookTermsOf(body));
    return { ...shown(endpoint), secret: secret.reveal() };
  }

  @Get()
  async list(@ClientIdParam() clientId: ClientId, @Query() { limit, after }: PageDto): Promise<EndpointPage> {
    const endpoints = await this.listEndpoints.execute(clientId);
    const begin = after === undefined ? 0 : endpoints.findIndex(({ endpointId }) => endpointId === after.toLowerCase()) + 1;
    if (after !== undefined && begin === 0) throw new InvalidRequest('`after` is no id of this list.');
    const page = await Promise.all(endpoints.slice(begin, begin + limit).map((endpoint) => this.#shownWithHealth(endpoint)));
    const last = page.at(-1);
    return { webhookEndpoints: page, ...(last && begin + limit < endpoints.length && { next: last.endpointId }) };
  }

  @Patch(':endpointId')
  async change(
    @ClientIdParam() clientId: ClientId,
    @EndpointIdParam() endpointId: EndpointId,
    @Body() body: ChangeWebhookEndpointDto,
  ): Promise<ShownEndpoint> {
    return this.#shownWithHealth(await this.changeEndpoint.execute(clientId, endpointId, changedWebhookTermsOf(body)));
  }

  @Delete(':endpointId')
  @HttpCode(204)
  @Route({ ignoreBody: true })
  async remove(
    @ClientIdParam() clientId: ClientId,
    @EndpointIdParam() endpointId: EndpointId,
    @Principal() caller: Administrator,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    await this.#require(request, caller, { clientId, endpointId, words: 'the webhook address ends' });
    return this.removeEndpoint.execute(clientId, endpointId);
  }

  @Post(':endpointId/rotate-secret')
  @HttpCode(200)
  @Route({ ignoreBody: true })
  async rotate(
    @ClientIdParam() clientId: ClientId,
    @EndpointIdParam() endpointId: EndpointId,
    @Principal() caller: Administrator,
    @Req() request: FastifyRequest,
  ): Promise<RotatedSecret> {
    await this.#require(request, caller, { clientId, endpointId, words: 'new webhook secret' });
    return { secret: (await this.rotateSecret.execute(clientId, endpointId)).reveal() };
  }

  async #require(request: FastifyRequest, caller: Administrator, { clientId, endpointId, words }: EndpointChange): Promise<void> {
    const { name } = await this.clients.get(clientId);
    const endpoint = (await this.listEndpoints.execute(clientId)).find((each) => each.endpointId === endpointId);
    if (!endpoint) throw new EndpointNotFound('no such endpoint');
    await this.criticalChanges.require(request, caller, {
      title: `${name}: ${words}`,
      lines: [`Relying party: ${name} (${clientId})`, `Webhook address: ${endpoint.url}`],
      touched: { client: clientId },
    });
  }

  async #shownWithHealth(endpoint: WebhookEndpoint): Promise<ShownEndpoint> {
    const since = await this.health.failingSince(endpoint.endpointId);
    return { ...shown(endpoint), ...(since !== undefined && { failingSince: epochSeconds(since) }) };
  }
}

const shown = ({ endpointId, url, eventTypes, disabledBecause, unconfirmed, secrets }: WebhookEndpoint): ShownEndpoint => {
  const until = secrets[1]?.until;
  return {
    endpointId,
    url,
    eventTypes,
    enabled: disabledBecause === null,
    ...(disabledBecause && { disabledBecause }),
    state: unconfirmed ? 'unconfirmed' : 'confirmed',
    ...(unconfirmed && { unconfirmedBecause: unconfirmed.because }),
    ...(until !== undefined && { previousSecretUntil: epochSeconds(until) }),
  };
};
