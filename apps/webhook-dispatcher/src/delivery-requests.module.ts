import { type DynamicModule, Module } from '@nestjs/common';

import { useCaseProviders } from '#service/http';
import type { TakeDeliveryRequest } from '#domain/webhook';

import { DeliveryRequestsController } from './delivery-requests.controller.js';

/** The consumer of delivery requests. */
@Module({ controllers: [DeliveryRequestsController] })
export class DeliveryRequestsModule {
  static register(takeDeliveryRequest: TakeDeliveryRequest): DynamicModule {
    return { module: DeliveryRequestsModule, providers: useCaseProviders({ takeDeliveryRequest }) };
  }
}
