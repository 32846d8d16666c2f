import type { Clock, SessionId } from '#kernel';
import { CommandHandler, type EventStore, type Loaded, NewerEventStored, type StreamName, streamName } from '#event-store';

import { endedByTime, isReadable, type Session, type StartedSession, timeIsUp } from '../domain/session.js';
import type { SessionCommand } from '../domain/session.commands.js';
import { sessionDecider } from '../domain/session.decider.js';
import { SessionNotFound } from '../domain/session.errors.js';
import type { SessionEvent, SessionTerms } from '../domain/session.events.js';
import type { StatusCache } from '../status/status-cache.js';
import { isSame, statusRecord } from '../status/status-record.js';
import { envelopeOf, metadataAfter } from './session-envelope.js';

type WithoutTime<Command> = Command extends SessionCommand ? Omit<Command, 'now'> : never;

export const sessionStream = (sessionId: SessionId): StreamName => streamName('session', sessionId);

type Change = Loaded<Session, SessionEvent>;

export interface FoundSession {
  readonly session: StartedSession;
  /** Of the last event of the stream; absent where only a newer release can tell the whole state after it. */
  readonly revision?: number;
}

/** Reads and changes sessions. A passed deadline is recorded before anything is answered or decided. */
export class Sessions {
  readonly #handler: CommandHandler<Session, SessionCommand, SessionEvent>;

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    /** Gets each new status right after the append. */
    private readonly statusCache?: StatusCache,
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
    return (await this.findAt(sessionId))?.session;
  }

  /** The same, with the revision. */
  async findAt(sessionId: SessionId): Promise<FoundSession | undefined> {
    const { state, revision, newer, last } = await this.#current(sessionId);
    // It may say that the session has ended, which only a newer release can tell in full.
    if (newer && last && (envelopeOf(last)?.status ?? state.status) !== state.status) throw new NewerEventStored(newer);
    if (state.status === 'NONE' || !isReadable(state, this.clock.now())) return undefined;
    return { session: state, ...(!newer && typeof revision === 'number' && { revision }) };
  }

  /** State and events as long as the stream exists, even when the client may no longer see the record. */
  async history(sessionId: SessionId): Promise<Loaded<Session, SessionEvent>> {
    return this.#current(sessionId);
  }

  /** The session, with its end when its deadline has passed. An event of a newer release may have moved the deadline: then nothing is decided. */
  async #current(sessionId: SessionId): Promise<Loaded<Session, SessionEvent>> {
    const loaded = await this.#handler.load(sessionStream(sessionId));
    if (loaded.newer || !timeIsUp(loaded.state, this.clock.now())) return loaded;
    return this.#decide(sessionId, () => ({ type: 'ExpireIfDue', now: this.clock.now() }));
  }

  /**
   * Decides a command at the present time and answers the session after it. When the session's deadline had passed, its end
   * is appended first and the command is decided again on the ended session.
   */
  async handle(sessionId: SessionId, command: WithoutTime<SessionCommand>): Promise<Session> {
    const decide = () => this.#decide(sessionId, () => ({ ...command, now: this.clock.now() }) as SessionCommand);
    const { state } = await decide();
    return endedByTime(state) ? (await decide()).state : state;
  }

  /** Creates the session unless it exists, and answers it. Reads nothing first, since the id is usually new. */
  async create(sessionId: SessionId, terms: SessionTerms, requestDigest?: string): Promise<Session> {
    const command = () => ({ type: 'CreateSession', terms, ...(requestDigest !== undefined && { requestDigest }), now: this.clock.now() }) as const;
    return (await this.#written(sessionId, (note) => this.#handler.begin(sessionStream(sessionId), note(command)))).state;
  }

  /** Whether a session of that id was ever created, also when its stream is erased. */
  exists(sessionId: SessionId): Promise<boolean> {
    return this.store.exists(sessionStream(sessionId));
  }

  #decide(sessionId: SessionId, command: () => SessionCommand): Promise<Change> {
    return this.#written(sessionId, (note) => this.#handler.handle(sessionStream(sessionId), note(command)));
  }

  /** Runs a command and, when it has changed what a status endpoint shows, writes that to the cache. `note` notes the state of the last decision. */
  async #written(
    sessionId: SessionId,
    run: (note: (command: () => SessionCommand) => (state: Session) => SessionCommand) => Promise<Change>,
  ): Promise<Change> {
    let before: Session | undefined;
    const after = await run((command) => (state) => {
      before = state;
      return command();
    });
    const { state, revision } = after;
    if (!this.statusCache || !before || state === before || state.status === 'NONE' || typeof revision !== 'number') return after;
    const record = statusRecord(state);
    if (before.status === 'NONE' || !isSame(statusRecord(before), record)) await this.statusCache.write(sessionId, { ...record, revision });
    return after;
  }
}
