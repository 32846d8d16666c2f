import type { Clock, SessionId } from '#kernel';

import type { Sessions } from '../repositories/sessions.js';
import { type StatusCache, StatusCacheUnavailable } from './status-cache.js';
import { type StatusRecord, staleAt, statusRecord } from './status-record.js';

/** Statuses for reading only: no decision is taken on them. */
export class SessionStatuses {
  constructor(
    private readonly sessions: Sessions,
    private readonly clock: Clock,
    /** Without one, every status is read from its stream. */
    private readonly cache?: StatusCache,
  ) {}

  /**
   * Undefined for an unknown session and for one whose record is no longer kept. An expiry is recorded first, as by every reader: a cached status is answered
   * only until its deadline.
   */
  async find(sessionId: SessionId): Promise<StatusRecord | undefined> {
    const cached = this.cache && (await this.#cached(this.cache, sessionId));
    if (cached && this.clock.now() < staleAt(cached)) return cached;
    const found = await this.sessions.findAt(sessionId);
    if (!found) return undefined;
    const record = statusRecord(found.session);
    const { revision } = found;
    // The answer does not wait for the cache.
    if (revision !== undefined) this.cache?.put(sessionId, { ...record, revision }).catch(() => undefined);
    return record;
  }

  /** The same without a promise. Undefined also where {@link find} has to tell. */
  recent(sessionId: SessionId): StatusRecord | undefined {
    const found = this.cache ? undefined : this.sessions.recent(sessionId);
    return found && statusRecord(found.session);
  }

  async #cached(cache: StatusCache, sessionId: SessionId): Promise<StatusRecord | undefined> {
    try {
      return await cache.get(sessionId);
    } catch (error) {
      if (!(error instanceof StatusCacheUnavailable)) throw error;
      return undefined;
    }
  }
}
