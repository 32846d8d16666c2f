import type { SessionId } from '#kernel';
import {
  type Committed,
  idOf,
  type Loaded,
  NewerEventStored,
  type StreamName,
  type Streams,
  type StreamType,
  type UnitOfWork,
} from '#engines/event-store';

import { isReadable, type Session, type StartedSession, timeIsUp } from '../domain/session.js';
import type { SessionCommand } from '../domain/session.commands.js';
import { sessionDecider } from '../domain/session.decider.js';
import { SessionNotFound } from '../domain/session.errors.js';
import type { SessionEvent, SessionTerms } from '../domain/session.events.js';
import { type ContainerWait, containerWaitOf } from '../container-wait.js';
import type { StatusCache } from '../status/status-cache.js';
import { isSame, statusRecord } from '../status/status-record.js';
import { SESSIONS, sessionStream } from '../streams.js';
import { envelopeOf, metadataAfter } from './session-envelope.js';
import { SessionInWork, type WithoutTime } from './session-in-work.js';

export type { SessionInWork };

type SessionStream = Loaded<Session, SessionEvent>;

export interface FoundSession {
  readonly session: StartedSession;
  /** Of the last event of the stream; absent where only a newer release can tell the whole state after it. */
  readonly revision?: number;
}

/** The parts of a process that follow the sessions which it writes. */
export interface SessionsOptions {
  /** Gets each new status right after the append. */
  readonly statusCache?: StatusCache | undefined;
  /** Told of each wait for a container that an append of this process has ended. */
  readonly containerWaited?: ((wait: ContainerWait, sessionId: SessionId) => void) | undefined;
}

/** Reads and changes sessions. A passed deadline is recorded before anything is answered or decided. */
export class Sessions {
  readonly #type: StreamType<Session, SessionCommand, SessionEvent> = {
    category: SESSIONS.category,
    decider: sessionDecider,
    metadataOf: metadataAfter,
    followsTrace: true,
    due: (session, now) => (timeIsUp(session, now) ? { type: 'ExpireIfDue', now } : undefined),
    committed: (stream, change) => this.#committed(stream, change),
  };

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly options: SessionsOptions = {},
  ) {}

  /** Throws SessionNotFound for an unknown session and for one whose record is no longer kept. */
  async get(sessionId: SessionId): Promise<StartedSession> {
    return found((await this.findAt(sessionId))?.session);
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
    return this.recent(sessionId) ?? this.#found(await this.history(sessionId));
  }

  /** The same without a promise. Undefined also where {@link findAt} has to tell: the store does not have the stream in memory, or the deadline has passed. */
  recent(sessionId: SessionId): FoundSession | undefined {
    const loaded = this.unitOfWork.recent(this.#type, sessionStream(sessionId));
    return loaded && !loaded.newer && !timeIsUp(loaded.state, this.#now) ? this.#found(loaded) : undefined;
  }

  /** Within a work that may decide on the session. Throws SessionNotFound and NewerEventStored. */
  async in(streams: Streams, id: SessionId): Promise<SessionInWork> {
    const session = await streams.load(this.#type, sessionStream(id));
    return new SessionInWork(id, found(this.#found(session.loaded)?.session), session, (command) => this.#at(command));
  }

  /** State and events as long as the stream exists, even when the client may no longer see the record. */
  async history(sessionId: SessionId): Promise<SessionStream> {
    const loaded = await this.unitOfWork.read(this.#type, sessionStream(sessionId));
    // An event of a newer release may have moved the deadline: then nothing is decided.
    return loaded.newer || !timeIsUp(loaded.state, this.#now) ? loaded : this.settle(sessionId);
  }

  /** Records the session's end when its deadline has passed, and answers what the stream then holds. Throws NewerEventStored. */
  settle(sessionId: SessionId): Promise<SessionStream> {
    return this.unitOfWork.run(async (streams) => {
      const { loaded } = await streams.load(this.#type, sessionStream(sessionId));
      streams.onReads();
      if (loaded.newer) throw new NewerEventStored(loaded.newer);
      return loaded;
    });
  }

  /** Decides one command at the present time and answers the session after it. When its deadline had passed, its end is stored first. */
  async handle(sessionId: SessionId, command: WithoutTime<SessionCommand>): Promise<Session> {
    const session = await this.unitOfWork.run(async (streams) => {
      const handled = await streams.load(this.#type, sessionStream(sessionId));
      handled.decide(this.#at(command));
      return handled;
    });
    return session.state;
  }

  /** Creates the session unless it exists, and answers it. Reads nothing first, since the id is usually new. */
  async create(sessionId: SessionId, terms: SessionTerms, requestDigest?: string): Promise<Session> {
    const session = await this.unitOfWork.run(async (streams) => {
      const begun = await streams.begin(this.#type, sessionStream(sessionId));
      begun.decide(this.#at({ type: 'CreateSession', terms, ...(requestDigest !== undefined && { requestDigest }) }));
      return begun;
    });
    return session.state;
  }

  /** Creates the session and claims its handoff token in one append, and answers it. Throws InvalidHandoff where another one has begun it. */
  async createClaimed(sessionId: SessionId, terms: SessionTerms, sealed: string | undefined): Promise<Session> {
    const session = await this.unitOfWork.run(async (streams) => {
      const begun = await streams.begin(this.#type, sessionStream(sessionId));
      begun.decide(this.#at({ type: 'CreateSession', terms }));
      begun.decide(this.#at({ type: 'ClaimHandoff', ...(sealed !== undefined && { sealed }) }));
      return begun;
    });
    return session.state;
  }

  /** Whether a session of that id was ever created, also when its stream is erased. */
  exists(sessionId: SessionId): Promise<boolean> {
    return this.unitOfWork.store.exists(sessionStream(sessionId));
  }

  get #now(): number {
    return this.unitOfWork.clock.now();
  }

  #at(command: WithoutTime<SessionCommand>): SessionCommand {
    return { ...command, now: this.#now } as SessionCommand;
  }

  #found({ state, revision, newer, last }: SessionStream): FoundSession | undefined {
    // It may say that the session has ended, which only a newer release can tell in full.
    if (newer && last && (envelopeOf(last)?.status ?? state.status) !== state.status) throw new NewerEventStored(newer);
    if (state.status === 'NONE' || !isReadable(state, this.#now)) return undefined;
    return { session: state, ...(!newer && typeof revision === 'number' && { revision }) };
  }

  /** Tells the parts that follow the session. The cache is told only when a status endpoint shows something else. */
  #committed(stream: StreamName, { before, after: { state, revision, events } }: Committed<Session, SessionEvent>): Promise<void> | undefined {
    const { statusCache, containerWaited } = this.options;
    const sessionId = idOf<SessionId>(stream);
    const wait = containerWaited && containerWaitOf(events);
    if (wait) containerWaited(wait, sessionId);
    if (!statusCache || state.status === 'NONE' || typeof revision !== 'number') return undefined;
    const record = statusRecord(state);
    const isShown = before.status !== 'NONE' && isSame(statusRecord(before), record);
    return isShown ? undefined : statusCache.write(sessionId, { ...record, revision });
  }
}

const found = (session: StartedSession | undefined): StartedSession => {
  if (!session) throw new SessionNotFound('unknown session');
  return session;
};
