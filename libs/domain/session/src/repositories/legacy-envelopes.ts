import { type EventStore, EventStoreUnavailable, type RecordedEvent } from '#engines/event-store';
import type { Clock } from '#kernel';

import { evolve } from '../domain/session.evolve.js';
import type { Session } from '../domain/session.js';
import { envelopeAfter, isSessionEvent, type SessionEnvelope } from './session-envelope.js';

/**
 * A subscription may be ahead of the reads of a stream. An event that a read does not show is taken for erased only when it happened longer ago
 * than this, in milliseconds.
 */
const READ_LAG = 10_000;

/**
 * The envelopes of events that releases before the envelope have stored: an old data directory, or a service not upgraded yet. The events before one
 * tell whose session it is and which status follows. Each request reads the stream once; nothing is kept.
 */
export class LegacyEnvelopes {
  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  /**
   * Undefined when the stream was erased, in whole or in part. `unknown` after an event of unknown type, since its changes are not known.
   * Throws EventStoreUnavailable when the stream does not show the event yet.
   */
  async of(event: RecordedEvent): Promise<SessionEnvelope | 'unknown' | undefined> {
    const { stream, revision } = event;
    const events = await this.store.read(stream, { limit: revision + 1 });
    const isWhole = events[0]?.revision === 0 && events.at(-1)?.revision === revision;
    if (isWhole) return events.every(isSessionEvent) ? envelopeAfter(events.reduce<Session>(evolve, { status: 'NONE' })) : 'unknown';
    if (happenedAt(event) > this.clock.now() - READ_LAG) throw new EventStoreUnavailable(`${stream} does not show revision ${revision} yet`);
    return undefined;
  }
}

/** Epoch milliseconds. Every event of a session holds its time. */
const happenedAt = ({ data }: RecordedEvent): number => (typeof data['at'] === 'number' ? data['at'] : 0);
