import type { SessionId } from '#kernel';
import type { CloudEvent } from '#message-bus';
import { type BuildSignature, type SessionFacts } from '#session';

/** Builds what was approved, and clears away what was given up. */
export class SessionEventsConsumer {
  constructor(private readonly buildSignature: BuildSignature) {}

  /** Throws ServiceUnavailable while a trust service is away: the bus comes again, and other sessions do not wait. */
  async handle({ data }: CloudEvent<SessionFacts>): Promise<void> {
    if (data.signatureType === 'SIGNING') await this.buildSignature.execute(data.sessionId as SessionId);
  }
}
