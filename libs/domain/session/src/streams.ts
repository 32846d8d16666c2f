import { type DomainEvent, type IdentityId, knownEvents, type SessionId } from '#kernel';
import { DeclaredStreams, type StoredPlace, type StreamName } from '#engines/event-store';

import type { Lifetimes } from './domain/lifetimes.js';
import { SESSION_EVENTS } from './domain/session.events.js';
import type { SessionEnvelope } from './repositories/session-envelope.js';

const owner = 'libs/domain/session';

export const SESSIONS = new DeclaredStreams({
  category: 'session',
  owner,
  ids: ['<sessionId>'],
  events: SESSION_EVENTS,
  metadata: ['clientId', 'signatureType', 'status'] satisfies (keyof SessionEnvelope)[],
  retention: { tombstoned: 'when `SESSION_RETENTION` is over, or the person is erased' },
  queue: 1,
  sealed: true,
  guarded: [],
});
export const sessionStream = (sessionId: SessionId): StreamName => SESSIONS.of(sessionId);

type Sealed = { readonly sealed: string; readonly at: number };

/** The events of the stream `result-<sessionId>`, each once, in this order. */
export type ResultEvent =
  /** Sealed: `SigningStatement`. */
  | DomainEvent<'StatementPrepared', Sealed>
  /** Sealed: `KeptSignature`. */
  | DomainEvent<'SignatureVerified', Sealed>
  /** Sealed: `KeptTimeStamp`, kept as an authority may charge for each one. */
  | DomainEvent<'SignatureStamped', Sealed>
  /** Sealed: `KeptArchive`. Level LTA only. */
  | DomainEvent<'SignatureArchived', Sealed>
  /** Sealed: `SigningResult`. */
  | DomainEvent<'ResultKept', Sealed>;

/** Milliseconds between building, finishing and fetching: the age must only remove results that the session no longer shows. */
const RESULT_GRACE = 60_000;

export const RESULTS = new DeclaredStreams({
  category: 'result',
  owner,
  ids: ['<sessionId>'],
  events: knownEvents<ResultEvent>(1, {
    StatementPrepared: true,
    SignatureVerified: true,
    SignatureStamped: true,
    SignatureArchived: true,
    ResultKept: true,
  }),
  retention: {
    /** From each event on, as long as a result lasts that is built at the last moment. */
    maxAge: ({ session, pushSession, result, signingBuild }: Lifetimes) =>
      Math.ceil((Math.max(result, session, pushSession) + signingBuild + RESULT_GRACE) / 1_000),
    tombstoned: 'a minute after the result is over, when the session is cancelled, or the person is erased',
  },
  sealed: true,
  guarded: [],
});

/** The fact of the stream `signinglog-<identityId>`. */
export type SigningBegun = DomainEvent<'SigningBegun', { readonly sessionId: SessionId; readonly at: number }>;

/** Longer than any session waits for its approval, in milliseconds. */
const APPROVAL_GRACE = 3_600_000;

export const SIGNING_LOGS = new DeclaredStreams({
  category: 'signinglog',
  owner,
  ids: ['<identityId>'],
  events: knownEvents<SigningBegun>(1, { SigningBegun: true }),
  retention: {
    maxAge: ({ result, signingBuild }: Lifetimes) => Math.ceil((result + signingBuild + APPROVAL_GRACE) / 1_000),
    tombstoned: 'by the erasure of the person',
  },
  sealed: false,
  guarded: [],
});
export const signingLogStream = (identityId: IdentityId): StreamName => SIGNING_LOGS.of(identityId);

/** How far a task has read the store: the last event, and marks of the store before it. Positions are decimal. */
export type CheckpointMoved = DomainEvent<'CheckpointMoved', StoredPlace>;

export const CHECKPOINTS = new DeclaredStreams({
  category: 'checkpoint',
  owner,
  ids: ['<name>'],
  events: knownEvents<CheckpointMoved>(1, { CheckpointMoved: true }),
  retention: { maxCount: 1 },
  staysBehind: true,
  sealed: false,
  guarded: [],
});

export const SESSION_STREAMS = [SESSIONS, RESULTS, SIGNING_LOGS, CHECKPOINTS];
