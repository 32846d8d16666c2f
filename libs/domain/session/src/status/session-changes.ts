import { type EventStore, StreamChanges } from '#engines/event-store';

import type { StatusCache } from './status-cache.js';
import type { StatusChanges } from './status-changes.js';
import { SESSIONS } from '../streams.js';

export interface SessionChangesDependencies {
  readonly eventStore: EventStore;
  readonly statusCache?: StatusCache | undefined;
  /** Ends the subscription. */
  readonly stopping: AbortSignal;
}

/** The changes of sessions: those that the status cache tells or, without one, those of a subscription to the store, which begins now. */
export const sessionChanges = ({ eventStore, statusCache, stopping }: SessionChangesDependencies): StatusChanges => {
  if (statusCache) return statusCache;
  const changes = new StreamChanges(eventStore, SESSIONS.category);
  void changes.run(stopping);
  return changes;
};
