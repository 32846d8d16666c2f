import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';

import type { CloudEvent } from '#engines/message-bus';
import { NoteTimer, type SessionFacts, TIMER_EVENTS } from '#domain/session';

/** Takes each event that changes the next timed work on a session. */
@Controller()
export class SessionTimersController {
  constructor(private readonly noteTimer: NoteTimer) {}

  @EventPattern<string[]>([...TIMER_EVENTS])
  async changed(@Payload() event: CloudEvent<SessionFacts>): Promise<void> {
    await this.noteTimer.execute(event);
  }
}
