import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';

import type { CloudEvent } from '#engines/message-bus';
import type { SessionFacts } from '#domain/session';
import { FanOut } from '#domain/webhook';

/** Receives every event that webhooks may announce. {@link FanOut} decides which of them become deliveries. */
@Controller()
export class WebhookEventsController {
  constructor(private readonly fanOut: FanOut) {}

  @EventPattern<string>('session.scanned')
  scanned(@Payload() event: CloudEvent<SessionFacts>): Promise<void> {
    return this.fanOut.execute(event);
  }

  @EventPattern<string>('session.confirmed')
  confirmed(@Payload() event: CloudEvent<SessionFacts>): Promise<void> {
    return this.fanOut.execute(event);
  }

  @EventPattern<string>('session.completed')
  completed(@Payload() event: CloudEvent<SessionFacts>): Promise<void> {
    return this.fanOut.execute(event);
  }

  @EventPattern<string>('session.cancelled')
  cancelled(@Payload() event: CloudEvent<SessionFacts>): Promise<void> {
    return this.fanOut.execute(event);
  }

  @EventPattern<string>('session.expired')
  expired(@Payload() event: CloudEvent<SessionFacts>): Promise<void> {
    return this.fanOut.execute(event);
  }
}
