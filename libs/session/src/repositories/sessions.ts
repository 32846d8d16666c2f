import { type Clock, DomainError, inSpan, type SessionId } from '#kernel';
import {
  appendSpan,
  CommandHandler,
  type EventStore,
  inTraceOf,
  NewerEventStored,
  type StreamAppend,
  type StreamName,
  streamName,
  StreamTombstoned,
  WrongExpectedRevision,
} from '#event-store';

import { endedByTime, isReadable, type Session, type StartedSession, timeIsUp } from '../domain/session.js';
import type { SessionCommand } from '../domain/session.commands.js';
import { sessionDecider } from '../domain/session.decider.js';
import { SessionNotFound } from '../domain/session.errors.js';
import type { SessionEvent, SessionTerms } from '../domain/session.events.js';
import { type ContainerWait, containerWaitOf } from '../container-wait.js';
import type { StatusCache } from '../status/status-cache.js';
import { isSame, statusRecord } from '../status/status-record.js';
import type { LoadedSession } from './loaded-session.js';
import { envelopeOf, metadataAfter } from './session-envelope.js';
import type { WrittenLogins } from './written-logins.js';

type WithoutTime<Command> = Command extends SessionCommand ? Omit<Command, 'now'> : never;

export const sessionStream = (sessionId: SessionId): StreamName => streamName('session', sessionId);

export interface FoundSession {
  readonly session: StartedSession;
  /** Of the last event of the stream; absent where only a newer release can tell the whole state after it. */
  readonly revision?: number;
  /** The stream as it was read. A command may be decided on it first: {@link Sessions.handle}. */
  readonly loaded: LoadedSession;
}

/** The parts of a process that follow the sessions which it writes. */
export interface SessionsOptions {
  /** Gets each new status right after the append. */
  readonly statusCache?: StatusCache | undefined;
  /** The logins whose last event this process knows. Given when each read is a call to another process. */
  readonly writtenLogins?: WrittenLogins | undefined;
  /** Told of each wait for a container that an append of this process has ended. */
  readonly containerWaited?: ((wait: ContainerWait, sessionId: SessionId) => void) | undefined;
}

/** Reads and changes sessions. A passed deadline is recorded before anything is answered or decided. */
export class Sessions {
  readonly #handler: CommandHandler<Session, SessionCommand, SessionEvent>;

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly options: SessionsOptions = {},
  ) {
    this.#handler = new CommandHandler(store, sessionDecider, clock, { metadataOf: metadataAfter, followsTrace: true });
  }

  /** Throws SessionNotFound for an unknown session and for one whose record is no longer kept. */
  async get(sessionId: SessionId): Promise<StartedSession> {
    return (await this.getAt(sessionId)).session;
  }

  /** The same, with the revision and the stream. */
  async getAt(sessionId: SessionId): Promise<FoundSession> {
    const found = await this.findAt(sessionId);
    if (!found) throw new SessionNotFound('unknown session');
    return found;
  }

  /**
   * Undefined for an unknown session and for one whose record is no longer kept. Throws NewerEventStored when only a newer release can tell the
   * session's status.
   */
  async find(sessionId: SessionId): Promise<StartedSession | undefined> {
    return (await this.findAt(sessionId))?.session;
  }

  /** The same, with the revision and the stream. */
  async findAt(sessionId: SessionId): Promise<FoundSession | undefined> {
    return this.recent(sessionId) ?? this.#found(await this.#current(sessionId));
  }

  /** The same without a promise. Undefined also where {@link findAt} has to tell: the store does not have the stream in memory, or the deadline has passed. */
  recent(sessionId: SessionId): FoundSession | undefined {
    const loaded = this.#handler.recent(sessionStream(sessionId));
    return loaded && !loaded.newer && !timeIsUp(loaded.state, this.clock.now()) ? this.#found(loaded) : undefined;
  }

  #found(loaded: LoadedSession): FoundSession | undefined {
    const { state, revision, newer, last } = loaded;
    // It may say that the session has ended, which only a newer release can tell in full.
    if (newer && last && (envelopeOf(last)?.status ?? state.status) !== state.status) throw new NewerEventStored(newer);
    if (state.status === 'NONE' || !isReadable(state, this.clock.now())) return undefined;
    return { session: state, loaded, ...(!newer && typeof revision === 'number' && { revision }) };
  }

  /**
   * Judges the login as this process has left it, without a read. Use it only for a command that ends in an append to the session: the append fails when
   * another process has changed the login. Answers undefined, and the caller has to read, when the login would be refused, has reached its deadline, was
   * judged in this way before, or was not left by this process.
   */
  judgeWritten<Judged>(sessionId: SessionId, judge: (found: FoundSession) => Judged): Judged | undefined {
    const loaded = this.options.writtenLogins?.take(sessionId);
    if (!loaded || timeIsUp(loaded.state, this.clock.now())) return undefined;
    try {
      return judge({ session: loaded.state, loaded });
    } catch (refusal) {
      if (refusal instanceof DomainError) return undefined;
      throw refusal;
    }
  }

  /** State and events as long as the stream exists, even when the client may no longer see the record. */
  async history(sessionId: SessionId): Promise<LoadedSession> {
    return this.#current(sessionId);
  }

  /** Records the session's end when its deadline has passed, and answers what the stream then holds. Throws NewerEventStored. */
  async settle(sessionId: SessionId): Promise<LoadedSession> {
    return this.#decide(sessionId, () => ({ type: 'ExpireIfDue', now: this.clock.now() }));
  }

  /** The session, with its end when its deadline has passed. An event of a newer release may have moved the deadline: then nothing is decided. */
  async #current(sessionId: SessionId): Promise<LoadedSession> {
    const loaded = await this.#handler.load(sessionStream(sessionId));
    if (loaded.newer || !timeIsUp(loaded.state, this.clock.now())) return loaded;
    return this.#decide(sessionId, () => ({ type: 'ExpireIfDue', now: this.clock.now() }), loaded);
  }

  /**
   * Decides a command at the present time and answers the session after it. When the session's deadline had passed, its end
   * is appended first and the command is decided again on the ended session. `remembered` is the session as this request has read it already: see
   * {@link CommandHandler.handle}.
   */
  async handle(sessionId: SessionId, command: WithoutTime<SessionCommand>, remembered?: LoadedSession): Promise<Session> {
    const decide = (on?: LoadedSession) => this.#decide(sessionId, () => ({ ...command, now: this.clock.now() }) as SessionCommand, on);
    const { state } = await decide(remembered);
    return endedByTime(state) ? (await decide()).state : state;
  }

  /** Whether {@link propose} ever answers an append: not where a cache gets each new status. */
  get proposes(): boolean {
    return this.options.statusCache === undefined;
  }

  /** The append of a confirmation: {@link CommandHandler.propose}. Undefined also when the deadline has passed. */
  propose(
    sessionId: SessionId,
    command: WithoutTime<Extract<SessionCommand, { type: 'ConfirmSession' }>>,
    loaded: LoadedSession,
  ): StreamAppend | undefined {
    if (!this.proposes) return undefined;
    const append = this.#handler.propose(sessionStream(sessionId), () => ({ ...command, now: this.clock.now() }), loaded);
    return append?.events.every(({ type }) => type === 'SessionConfirmed') ? append : undefined;
  }

  /** Runs the work in the session's trace, for callers that propose and append by themselves. {@link handle} does the same. */
  inTraceOf<Result>(sessionId: SessionId, { last }: LoadedSession, work: () => Result): Result {
    return inTraceOf(sessionStream(sessionId), last, work);
  }

  /** Stores the appends in one transaction. False, and nothing is stored, when another writer came first, and where the store has no transaction over streams. */
  async storeTogether(appends: readonly StreamAppend[]): Promise<boolean> {
    try {
      return (
        (await inSpan(
          () => appendSpan(appends),
          () => this.store.appendTogether(appends),
        )) !== undefined
      );
    } catch (error) {
      if (error instanceof WrongExpectedRevision || error instanceof StreamTombstoned) return false;
      throw error;
    }
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

  #decide(sessionId: SessionId, command: () => SessionCommand, remembered?: LoadedSession): Promise<LoadedSession> {
    return this.#written(sessionId, (note) => this.#handler.handle(sessionStream(sessionId), note(command), remembered));
  }

  /**
   * Runs a command and tells the parts that follow the session. The cache is told only when a status endpoint shows something else. `note` notes the
   * state of the last decision.
   */
  async #written(
    sessionId: SessionId,
    run: (note: (command: () => SessionCommand) => (state: Session) => SessionCommand) => Promise<LoadedSession>,
  ): Promise<LoadedSession> {
    let before: Session | undefined;
    const after = await run((command) => (state) => {
      before = state;
      return command();
    });
    const { statusCache, writtenLogins, containerWaited } = this.options;
    writtenLogins?.note(sessionId, after);
    const { state, revision, events } = after;
    if (!before || state === before) return after;
    const wait = containerWaited && containerWaitOf(events);
    if (wait) containerWaited(wait, sessionId);
    if (!statusCache || state.status === 'NONE' || typeof revision !== 'number') return after;
    const record = statusRecord(state);
    if (before.status === 'NONE' || !isSame(statusRecord(before), record)) await statusCache.write(sessionId, { ...record, revision });
    return after;
  }
}
