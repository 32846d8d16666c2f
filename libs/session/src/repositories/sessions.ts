import type { Clock, SessionId } from '#kernel';
import { CommandHandler, type EventStore, type Loaded, NewerEventStored, type StreamName, streamName } from '#event-store';

import { endedByTime, isReadable, type Session, type StartedSession, timeIsUp } from '../domain/session.js';
import type { SessionCommand } from '../domain/session.commands.js';
import { sessionDecider } from '../domain/session.decider.js';
import { SessionNotFound } from '../domain/session.errors.js';
import type { SessionEvent, SessionTerms } from '../domain/session.events.js';
import { envelopeOf, metadataAfter } from './session-envelope.js';

type WithoutTime<Command> = Command extends SessionCommand ? Omit<Command, 'now'> : never;

export const sessionStream = (sessionId: SessionId): StreamName => streamName('session', sessionId);

/** Reads and changes sessions. A passed deadline is recorded before anything is answered or decided. */
export class Sessions {
  readonly #handler: CommandHandler<Session, SessionCommand, SessionEvent>;

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {
    this.#handler = new CommandHandler(store, sessionDecider, clock, { metadataOf: metadataAfter });
  }

  /** Throws SessionNotFound for an unknown session and for one whose record is no longer kept. */
  async get(sessionId: SessionId): Promise<StartedSession> {
    const session = await this.find(sessionId);
    if (!session) throw new SessionNotFound('unknown session');
    return session;
  }

  /**
   * Undefined for an unknown session and for one whose record is no longer kept. Throws NewerEventStored when only a newer release can tell the
   * session's status.
   */
  async find(sessionId: SessionId): Promise<StartedSession | undefined> {
    const { state, newer, last } = await this.#current(sessionId);
    // It may say that the session has ended, which only a newer release can tell in full.
    if (newer && last && (envelopeOf(last)?.status ?? state.status) !== state.status) throw new NewerEventStored(newer);
    return this.#readable(state);
  }

  /** State and events as long as the stream exists, even when the client may no longer see the record. */
  async history(sessionId: SessionId): Promise<Loaded<Session, SessionEvent>> {
    return this.#current(sessionId);
  }

  /** The session, with its end when its deadline has passed. An event of a newer release may have moved the deadline: then nothing is decided. */
  async #current(sessionId: SessionId): Promise<Loaded<Session, SessionEvent>> {
    const loaded = await this.#handler.load(sessionStream(sessionId));
    if (loaded.newer || !timeIsUp(loaded.state, this.clock.now())) return loaded;
    return this.#handler.handle(sessionStream(sessionId), () => ({ type: 'ExpireIfDue', now: this.clock.now() }));
  }

  /**
   * Decides a command at the present time and answers the session after it. When the session's deadline had passed, its end
   * is appended first and the command is decided again on the ended session.
   */
  async handle(sessionId: SessionId, command: WithoutTime<SessionCommand>): Promise<Session> {
    const decide = () => this.#handler.handle(sessionStream(sessionId), () => ({ ...command, now: this.clock.now() }) as SessionCommand);
    const { state } = await decide();
    return endedByTime(state) ? (await decide()).state : state;
  }

  /** Creates the session unless it exists, and answers it. Reads nothing first, since the id is usually new. */
  async create(sessionId: SessionId, terms: SessionTerms, requestDigest?: string): Promise<Session> {
    const command = () => ({ type: 'CreateSession', terms, ...(requestDigest !== undefined && { requestDigest }), now: this.clock.now() }) as const;
    return (await this.#handler.begin(sessionStream(sessionId), command)).state;
  }

  /** Whether a session of that id was ever created, also when its stream is erased. */
  exists(sessionId: SessionId): Promise<boolean> {
    return this.store.exists(sessionStream(sessionId));
  }

  #readable(session: Session): StartedSession | undefined {
    return session.status !== 'NONE' && isReadable(session, this.clock.now()) ? session : undefined;
  }
}
