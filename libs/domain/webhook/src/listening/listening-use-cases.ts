import type { EventStore } from '#engines/event-store';
import type { RateLimits } from '#engines/rate-limit';
import type { Clock, Sealer } from '#kernel';
import type { SessionPublication } from '#domain/session';

import { ListenToSessions, type ListenTimes } from '../use-cases/listen-to-sessions.js';
import { ListeningCursors } from './listening-cursors.js';
import { MissedMessages } from './missed-messages.js';
import { SessionFeed } from './session-feed.js';

export interface ListeningParts {
  readonly eventStore: EventStore;
  readonly publication: SessionPublication;
  readonly rateLimits: RateLimits;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly stopping: AbortSignal;
  /** Told of an error that has ended all listeners. */
  readonly report: (error: unknown) => void;
  readonly times?: ListenTimes;
}

/** The use case of relying parties that listen, with the feed of the process. */
export const listening = (parts: ListeningParts) => {
  const { rateLimits, sealer, clock, times } = parts;
  const feed = new SessionFeed(parts);
  const missed = new MissedMessages(parts);
  const cursors = new ListeningCursors(sealer, clock);
  return { listenToSessions: new ListenToSessions({ feed, missed, cursors, rateLimits, clock, ...(times && { times }) }) };
};
