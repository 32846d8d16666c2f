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

/** For this time after an event, in milliseconds, a call may wait until a put wakes it. Later a missing status needs no put: requests read the stream. */
const AWAITED = 60_000;

/** Writes a status to the cache in place of the process that appended the event and then crashed or lost the cache. */
export class RestoreCachedStatus {
  constructor(
    private readonly sessions: Sessions,
    private readonly cache: StatusCache,
    private readonly clock: Clock,
  ) {}

  /** Costs one read of the cache when the status is there. May be repeated. Throws StatusCacheUnavailable and EventStoreUnavailable. */
  async execute({ sessionId, revision, at }: StatusEvent): Promise<void> {
    const cached = await this.cache.get(sessionId);
    const isGood = cached ? cached.revision >= revision : this.clock.now() - at > AWAITED;
    if (isGood) return;
    const found = await this.sessions.findAt(sessionId);
    if (found?.revision !== undefined) await this.cache.put(sessionId, { ...statusRecord(found.session), revision: found.revision });
  }
}
