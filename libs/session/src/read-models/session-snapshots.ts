import { LRUCache } from 'lru-cache';

import type { Clock, EventId, Stored } from '#kernel';
import { type EventStore, EventStoreUnavailable, type RecordedEvent, type StreamName } from '#event-store';
import { UnpublishableEvent } from '#message-bus';

import { evolve } from '../domain/session.evolve.js';
import type { SessionEvent, SessionTerms } from '../domain/session.events.js';
import type { Session, SessionStatus } from '../domain/session.js';

/** A session as it was right after one of its events. */
export interface SessionSnapshot extends Pick<SessionTerms, 'clientId' | 'signatureType'> {
  readonly status: SessionStatus;
}

/** One entry for each revision; undefined from the first event of unknown type on. */
type Snapshots = (SessionSnapshot | undefined)[];

interface CachedSession {
  readonly snapshots: Snapshots;
  /** Of the same events. */
  readonly ids: EventId[];
  /** After the last of the snapshots. */
  session: Session;
}

/**
 * A subscription may be ahead of the reads of a stream. An event that a read does not show is taken for erased only when it happened longer ago
 * than this, in milliseconds.
 */
const READ_LAG = 10_000;

/** Enough for the sessions of half an hour; about 1.5 KB each. */
const CACHED_SESSIONS = 20_000;

/**
 * A single event tells neither whose session it belongs to nor which status follows from it; the events before it do. They come
 * from the cache, which advances with each event, or from the stream. Both give the same snapshot, in whatever order they are
 * requested: a snapshot depends only on the stream's events up to that revision. Those change only when the store is restored from an older copy;
 * then another event has the revision, and the cache is not used.
 */
export class SessionSnapshots {
  readonly #cache: LRUCache<StreamName, CachedSession>;

  constructor(
    private readonly store: EventStore,
    private readonly isKnown: (event: RecordedEvent) => event is RecordedEvent<SessionEvent>,
    private readonly clock: Clock,
    cacheSize = CACHED_SESSIONS,
  ) {
    this.#cache = new LRUCache({ max: cacheSize });
  }

  /**
   * The session right after the event. Undefined when the stream was erased, in whole or in part, and is not in the cache. Throws
   * EventStoreUnavailable when the stream does not show the event yet, and UnpublishableEvent for an event of unknown type and for those after it, since nothing is known of what it changed.
   */
  async at(event: RecordedEvent): Promise<SessionSnapshot | undefined> {
    const snapshots = this.#fromCache(event) ?? (await this.#fromStream(event.stream));
    if (!snapshots || event.revision >= snapshots.length) {
      if (happenedAt(event) > this.clock.now() - READ_LAG)
        throw new EventStoreUnavailable(`${event.stream} does not show revision ${event.revision} yet`);
      return undefined;
    }
    const snapshot = snapshots[event.revision];
    if (!snapshot) throw new UnpublishableEvent(event);
    return snapshot;
  }

  /** Undefined when events before this one are missing in the cache. */
  #fromCache(event: RecordedEvent): Snapshots | undefined {
    const cached = this.#cache.get(event.stream) ?? begin(event);
    if (!cached || event.revision > cached.snapshots.length) return undefined;
    if ((cached.ids[event.revision] ?? event.id) !== event.id) return undefined;
    this.#advance(cached, event);
    return this.#keep(event.stream, cached);
  }

  async #fromStream(stream: StreamName): Promise<Snapshots | undefined> {
    const events = await this.store.read(stream);
    const begun = events[0] && begin(events[0]);
    if (!begun) return undefined;
    for (const event of events) this.#advance(begun, event);
    return this.#keep(stream, begun);
  }

  #advance(cached: CachedSession, event: RecordedEvent): void {
    const { snapshots } = cached;
    if (event.revision !== snapshots.length) return;
    cached.ids.push(event.id);
    const afterUnknown = snapshots.length > 0 && snapshots.at(-1) === undefined;
    if (afterUnknown || !this.isKnown(event)) {
      snapshots.push(undefined);
      return;
    }
    // `sealed` does not change the status, and it may be long.
    const small = { ...event, data: { ...event.data, sealed: '' } } as Stored<SessionEvent>;
    cached.session = evolve(cached.session, small);
    snapshots.push(snapshotOf(cached.session));
  }

  #keep(stream: StreamName, cached: CachedSession): Snapshots {
    this.#cache.set(stream, cached);
    return cached.snapshots;
  }
}

const begin = ({ revision, type }: RecordedEvent): CachedSession | undefined =>
  revision === 0 && type === 'SessionCreated' ? { snapshots: [], ids: [], session: { status: 'NONE' } } : undefined;

/** Epoch milliseconds. Every event of a session holds its time. */
const happenedAt = ({ data }: RecordedEvent): number => (typeof data['at'] === 'number' ? data['at'] : 0);

const snapshotOf = (session: Session): SessionSnapshot | undefined => {
  if (session.status === 'NONE') return undefined;
  const { terms, status } = session;
  return { clientId: terms.clientId, signatureType: terms.signatureType, status };
};
