import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';

import type { CloudEvent } from '#message-bus';
import type { SessionFacts } from '#session';

import { ExpiryJobs } from './expiry-jobs.js';

/** Every event that gives a session a deadline. */
@Controller()
export class SessionDeadlinesController {
  constructor(private readonly jobs: ExpiryJobs) {}

  @EventPattern<string>('session.created')
  async created(@Payload() { data }: CloudEvent<SessionFacts>): Promise<void> {
    if (data.expiresAt !== undefined) await this.jobs.schedule(data.sessionId, data.expiresAt);
  }

  /** From a signature's approval on, its container has to be built in time. */
  @EventPattern<string>('session.confirmed')
  async confirmed(@Payload() { data }: CloudEvent<SessionFacts>): Promise<void> {
    if (data.signatureType === 'SIGNING') await this.jobs.scheduleFromStream(data.sessionId);
  }
}
