import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';

import type { SessionId } from '#kernel';
import type { CloudEvent } from '#engines/message-bus';
import { BuildSignature, type SessionFacts } from '#domain/session';

/**
 * Builds the containers of approved signatures, and discards those of cancelled ones. While a trust service is unavailable, the bus
 * delivers the same message again, and other sessions do not wait.
 */
@Controller()
export class SigningEventsController {
  constructor(private readonly buildSignature: BuildSignature) {}

  @EventPattern<string>('session.confirmed')
  confirmed(@Payload() event: CloudEvent<SessionFacts>): Promise<void> {
    return this.#build(event);
  }

  @EventPattern<string>('session.cancelled')
  cancelled(@Payload() event: CloudEvent<SessionFacts>): Promise<void> {
    return this.#build(event);
  }

  async #build({ data }: CloudEvent<SessionFacts>): Promise<void> {
    if (data.signatureType === 'SIGNING') await this.buildSignature.execute(data.sessionId as SessionId);
  }
}
