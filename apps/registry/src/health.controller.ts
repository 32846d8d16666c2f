import { Controller, Get } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';

import { epochSeconds } from '#kernel';
import type { TrustServiceState } from '#service/platform';
import type { ProjectionBacklog } from '#engines/read-model';
import type { DisabledBecause } from '#domain/relying-party';

import { type HealthReport, ServiceHealth } from './service-health.js';

interface ShownHealth {
  /** Absent, as each of the others, while its store does not answer. */
  readonly webhookEndpoints?: readonly {
    readonly clientId: string;
    readonly clientName: string;
    readonly endpointId: string;
    /** @format uri */
    readonly url: string;
    readonly enabled: boolean;
    readonly disabledBecause?: Exclude<DisabledBecause, 'STAFF'>;
    /** Epoch seconds. */
    readonly failingSince: number;
  }[];
  readonly deadLetters?: readonly {
    readonly group: string;
    /** Messages that were set aside and not handed over again. */
    readonly waiting: number;
    /** Epoch seconds. */
    readonly newestAt?: number;
  }[];
  readonly projections?: readonly ProjectionBacklog[];
  readonly trustServices?: readonly {
    readonly service: TrustServiceState['service'];
    /** Epoch seconds. */
    readonly lastSuccessAt?: number;
    /** Epoch seconds. */
    readonly lastFailureAt?: number;
  }[];
}

/** The health of what works behind the APIs (specification/admin.md#health). */
@ApiBearerAuth('admin')
@Controller('admin/v1/health')
export class HealthController {
  constructor(private readonly health: ServiceHealth) {}

  @Get()
  async show(): Promise<ShownHealth> {
    const { failingEndpoints, deadLetters, projections, trustServices } = await this.health.report();
    return {
      ...(failingEndpoints && { webhookEndpoints: failingEndpoints.map(shownEndpoint) }),
      ...(deadLetters && {
        deadLetters: deadLetters.map(({ newestAt, ...group }) => ({ ...group, ...(newestAt !== undefined && { newestAt: epochSeconds(newestAt) }) })),
      }),
      ...(projections && { projections }),
      ...(trustServices && { trustServices: trustServices.map(shownService) }),
    };
  }
}

type Shown<Part extends keyof ShownHealth> = NonNullable<ShownHealth[Part]>[number];

const shownEndpoint = (endpoint: NonNullable<HealthReport['failingEndpoints']>[number]): Shown<'webhookEndpoints'> => {
  const { clientId, clientName, endpointId, url, disabledBecause, failingSince } = endpoint;
  const enabled = disabledBecause === null;
  return { clientId, clientName, endpointId, url, enabled, ...(disabledBecause && { disabledBecause }), failingSince: epochSeconds(failingSince) };
};

const shownService = ({ service, lastSuccessAt, lastFailureAt }: TrustServiceState): Shown<'trustServices'> => ({
  service,
  ...(lastSuccessAt !== undefined && { lastSuccessAt: epochSeconds(lastSuccessAt) }),
  ...(lastFailureAt !== undefined && { lastFailureAt: epochSeconds(lastFailureAt) }),
});
