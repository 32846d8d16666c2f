import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';

import type { CloudEvent } from '#engines/message-bus';
import { DELIVERY_REQUESTED, type NewDelivery, RETRY_REQUESTED, TakeDeliveryRequest } from '#domain/webhook';

/** Receives what the endpoints of this process's partitions are to get. */
@Controller()
export class DeliveryRequestsController {
  constructor(private readonly takeDeliveryRequest: TakeDeliveryRequest) {}

  @EventPattern<string>(DELIVERY_REQUESTED)
  requested(@Payload() request: CloudEvent<NewDelivery>): Promise<void> {
    return this.takeDeliveryRequest.execute(request);
  }

  @EventPattern<string>(RETRY_REQUESTED)
  retryRequested(@Payload() request: CloudEvent<NewDelivery>): Promise<void> {
    return this.takeDeliveryRequest.execute(request);
  }
}
