import { RecentlyUsed, ServiceUnavailable, type SessionId } from '#kernel';

import type { StatusChanges, StatusWatch } from './status-changes.js';
import type { StatusRecord } from './status-record.js';

/** The status of a session right after the event of that revision. */
export interface CachedStatus extends StatusRecord {
  readonly revision: number;
}

/** The cache does not answer, or not in time. */
export class StatusCacheUnavailable extends ServiceUnavailable {}

/** Between two tries to write what could not be written. Milliseconds. */
const REPEAT_INTERVAL = 500;
/** The most sessions whose status this process writes again. The consumer of the session events writes the status of the others. */
const MOST_UNWRITTEN = 10_000;

/**
 * The statuses of sessions, for reading only: no decision is taken on them. It may lose all it holds at any time. `status-cache.contract.ts` tests each
 * promise of an implementation.
 */
export abstract class StatusCache implements StatusChanges {
  readonly #unwritten = new RecentlyUsed<SessionId, CachedStatus>(MOST_UNWRITTEN);
  #repeating: NodeJS.Timeout | undefined;

  /** The status of the highest revision that was put; undefined where none is kept. Throws {@link StatusCacheUnavailable}, within a quarter of a second. */
  abstract get(sessionId: SessionId): Promise<CachedStatus | undefined>;

  /**
   * Keeps the status and wakes the watches of the session, in every process, unless a status of this or a later revision is kept: it never goes backwards. It is kept until
   * time makes it stale. Throws {@link StatusCacheUnavailable}, within a quarter of a second; it may be kept all the same.
   */
  abstract put(sessionId: SessionId, status: CachedStatus): Promise<void>;

  abstract watch(sessionId: string): Promise<StatusWatch>;

  /** Puts the status; while that fails, repeats it in the background, as long as this process lives. Never throws. */
  async write(sessionId: SessionId, status: CachedStatus): Promise<void> {
    try {
      await this.put(sessionId, status);
    } catch {
      if ((this.#unwritten.peek(sessionId)?.revision ?? -1) < status.revision) this.#unwritten.set(sessionId, status);
      this.#repeatLater();
    }
  }

  /** Ends the repetitions. Implementations close their connections. */
  async close(): Promise<void> {
    clearTimeout(this.#repeating);
    this.#unwritten.clear();
  }

  #repeatLater(): void {
    this.#repeating ??= setTimeout(() => void this.#repeat(), REPEAT_INTERVAL).unref();
  }

  async #repeat(): Promise<void> {
    try {
      for (const [sessionId, status] of [...this.#unwritten.entries()]) {
        await this.put(sessionId, status);
        if (this.#unwritten.peek(sessionId) === status) this.#unwritten.delete(sessionId);
      }
    } catch {
      // Tried again below.
    } finally {
      this.#repeating = undefined;
      if (this.#unwritten.size > 0) this.#repeatLater();
    }
  }
}
