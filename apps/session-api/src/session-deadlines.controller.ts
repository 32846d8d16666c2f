import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';

import type { CloudEvent } from '#message-bus';
import { ExpiryJobs, type SessionFacts } from '#session';

/** Schedules a job for each deadline that an event gives to a session. */
@Controller()
export class SessionDeadlinesController {
  constructor(private readonly jobs: ExpiryJobs) {}

  @EventPattern<string>('session.created')
  async created(@Payload() { data }: CloudEvent<SessionFacts>): Promise<void> {
    if (data.expiresAt !== undefined) await this.jobs.schedule(data.sessionId, data.expiresAt);
  }

  /** After a signature's approval, the container must be built by a new deadline. */
  @EventPattern<string>('session.confirmed')
  async confirmed(@Payload() { data }: CloudEvent<SessionFacts>): Promise<void> {
    if (data.signatureType === 'SIGNING') await this.jobs.scheduleFromStream(data.sessionId);
  }
}
