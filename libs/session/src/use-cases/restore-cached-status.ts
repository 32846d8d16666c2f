import type { Clock, SessionId } from '#kernel';

import type { Sessions } from '../repositories/sessions.js';
import type { StatusCache } from '../status/status-cache.js';
import { statusRecord } from '../status/status-record.js';

/** An event that changes the status that endpoints show. */
export interface StatusEvent {
  readonly sessionId: SessionId;
  readonly revision: number;
  /** When it happened, epoch milliseconds. */
  readonly at: number;
}

/** Milliseconds after an event. Up to then a call may wait that only a put wakes. Later a missing status needs no put: a request reads the stream. */
const AWAITED = 60_000;

/** Writes a status to the cache in place of the process that appended the event and then crashed or lost the cache. */
export class RestoreCachedStatus {
  constructor(
    private readonly sessions: Sessions,
    private readonly cache: StatusCache,
    private readonly clock: Clock,
  ) {}

  /** Costs one look at the cache when nothing is missing. May be repeated. Throws StatusCacheUnavailable and EventStoreUnavailable. */
  async execute({ sessionId, revision, at }: StatusEvent): Promise<void> {
    const cached = await this.cache.get(sessionId);
    const isGood = cached ? cached.revision >= revision : this.clock.now() - at > AWAITED;
    if (isGood) return;
    const found = await this.sessions.findAt(sessionId);
    if (found?.revision !== undefined) await this.cache.put(sessionId, { ...statusRecord(found.session), revision: found.revision });
  }
}
