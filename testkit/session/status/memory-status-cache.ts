import { type SessionId, WakeUps } from '#kernel';

import { type CachedStatus, StatusCache, StatusCacheUnavailable } from '#domain/session';
import type { StatusWatch } from '#domain/session';

/** Statuses in memory, for all who share the object: replicas in a test. It can be made to fail, and it counts. */
export class MemoryStatusCache extends StatusCache {
  readonly #kept = new Map<SessionId, CachedStatus>();
  readonly #wakeUps = new WakeUps();
  readonly counts = { gets: 0, puts: 0 };
  isAvailable = true;

  override async get(sessionId: SessionId): Promise<CachedStatus | undefined> {
    this.#mustAnswer();
    this.counts.gets += 1;
    return this.#kept.get(sessionId);
  }

  override async put(sessionId: SessionId, status: CachedStatus): Promise<void> {
    this.#mustAnswer();
    this.counts.puts += 1;
    if ((this.#kept.get(sessionId)?.revision ?? -1) >= status.revision) return;
    this.#kept.set(sessionId, status);
    this.#wakeUps.wake(sessionId);
  }

  override async watch(sessionId: string): Promise<StatusWatch> {
    const watch = this.#wakeUps.watch(sessionId);
    const isAvailable = (): boolean => this.isAvailable;
    return {
      get isLive() {
        return isAvailable();
      },
      next: (milliseconds, signal) => watch.next(milliseconds, signal),
      close: () => watch.close(),
    };
  }

  forgetAll(): void {
    this.#kept.clear();
  }

  #mustAnswer(): void {
    if (!this.isAvailable) throw new StatusCacheUnavailable('switched off');
  }
}
