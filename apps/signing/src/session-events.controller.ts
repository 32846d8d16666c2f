import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';

import type { SessionId } from '#kernel';
import type { CloudEvent } from '#message-bus';
import { BuildSignature, type SessionFacts } from '#session';

/**
 * Builds what was approved, and clears away what was given up. While a trust service is away the bus comes again with the
 * same message, and other sessions do not wait.
 */
@Controller()
export class SessionEventsController {
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
