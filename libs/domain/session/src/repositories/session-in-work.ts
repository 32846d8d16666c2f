import type { SessionId } from '#kernel';
import type { StreamInWork } from '#engines/event-store';

import type { Session, StartedSession } from '../domain/session.js';
import type { SessionCommand } from '../domain/session.commands.js';
import type { SessionEvent } from '../domain/session.events.js';

export type WithoutTime<Command> = Command extends SessionCommand ? Omit<Command, 'now'> : never;

/** A session within a work that may decide on it. */
export class SessionInWork {
  constructor(
    readonly id: SessionId,
    /** As it was loaded. */
    readonly found: StartedSession,
    private readonly stream: StreamInWork<Session, SessionCommand, SessionEvent>,
    private readonly atPresent: (command: WithoutTime<SessionCommand>) => SessionCommand,
  ) {}

  /** After the decisions of the work, and once the work is answered: as it is stored. */
  get state(): Session {
    return this.stream.state;
  }

  /** Decides a command at the present time: {@link StreamInWork.decide}. */
  decide(command: WithoutTime<SessionCommand>): void {
    this.stream.decide(this.atPresent(command));
  }
}
