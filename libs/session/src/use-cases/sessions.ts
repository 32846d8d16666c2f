import type { Clock, Randomness, SessionId } from '#kernel';
import { CommandHandler, type EventStore, type Loaded, type StreamName, streamName } from '#event-store';

import { endedByTime, isReadable, type Session, type StartedSession, timeIsUp } from '../domain/session.js';
import type { CreateSession, SessionCommand } from '../domain/session.commands.js';
import { sessionDecider } from '../domain/session.decider.js';
import { SessionNotFound } from '../domain/session.errors.js';
import type { SessionEvent } from '../domain/session.events.js';

type Timeless<Command> = Command extends SessionCommand ? Omit<Command, 'now'> : never;

export const sessionStream = (sessionId: SessionId): StreamName => streamName('session', sessionId);

/** The sessions as everybody may see them: time that has ended one is on record before anything is answered or decided. */
export class Sessions {
  readonly #handler: CommandHandler<Session, SessionCommand, SessionEvent>;

  constructor(
    store: EventStore,
    private readonly clock: Clock,
    randomness: Randomness,
  ) {
    this.#handler = new CommandHandler(store, sessionDecider, clock, randomness);
  }

  /** Throws SessionNotFound for a session that never was or whose record is no longer kept. */
  async get(sessionId: SessionId): Promise<StartedSession> {
    const session = await this.find(sessionId);
    if (!session) throw new SessionNotFound('unknown session');
    return session;
  }

  /** Undefined for a session that never was or whose record is no longer kept. */
  async find(sessionId: SessionId): Promise<StartedSession | undefined> {
    const { state } = await this.#handler.load(sessionStream(sessionId));
    const now = this.clock.now();
    return this.#readable(timeIsUp(state, now) ? await this.handle(sessionId, { type: 'LetTimePass' }) : state);
  }

  /** State and events as long as the stream exists, also when the record is no longer shown to the client. */
  async history(sessionId: SessionId): Promise<Loaded<Session, SessionEvent>> {
    await this.find(sessionId);
    return this.#handler.load(sessionStream(sessionId));
  }

  /**
   * Decides a command at the present time and answers the session after it. When time had ended the session first,
   * that end is appended and the command decided again on what the stream then says.
   */
  async handle(sessionId: SessionId, command: Timeless<SessionCommand>): Promise<Session> {
    const decide = () =>
      this.#handler.handle(sessionStream(sessionId), () => ({ ...command, now: this.clock.now() }) as SessionCommand);
    const { state } = await decide();
    return endedByTime(state) ? (await decide()).state : state;
  }

  /** Creates the session unless it exists, and answers it as it is then. Its id is new as a rule, so that nothing is read. */
  async create(sessionId: SessionId, terms: CreateSession['terms']): Promise<Session> {
    const command = () => ({ type: 'CreateSession', terms, now: this.clock.now() }) as const;
    return (await this.#handler.begin(sessionStream(sessionId), command)).state;
  }

  #readable(session: Session): StartedSession | undefined {
    return session.status !== 'NONE' && isReadable(session, this.clock.now()) ? session : undefined;
  }
}
