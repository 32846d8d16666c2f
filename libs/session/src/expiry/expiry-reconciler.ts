import type { EventStore } from '#event-store';
import type { Clock } from '#kernel';
import type { Log } from '#telemetry';

import type { SessionEvent } from '../domain/session.events.js';
import type { Checkpoint } from '../repositories/checkpoint.js';
import type { ExpiryJobs } from './expiry-jobs.js';
import { OpenSessions } from './open-sessions.js';

/** How far ahead a session's end must have its job, in milliseconds: longer than the time between two reconciliations. */
const AHEAD = 60_000;

/** A job cannot end a session that is still recorded as open so long after its deadline; milliseconds. */
const GIVE_UP_AFTER = 86_400_000;

export interface ExpiryReconcilerDependencies {
  readonly eventStore: EventStore;
  readonly checkpoint: Checkpoint;
  readonly jobs: ExpiryJobs;
  readonly clock: Clock;
  readonly log: Log;
  /** Ends the subscription to the store. */
  readonly stopping: AbortSignal;
}

/**
 * Schedules the jobs of sessions whose deadline is near or past, whether the queue holds them or not. So a queue that lost its
 * jobs (Redis was flushed) has them back in time. It reads the store itself, from the oldest session that was open at the last
 * reconciliation, and depends neither on the bus nor on the queue.
 */
export class ExpiryReconciler {
  #open: Promise<OpenSessions> | undefined;

  constructor(private readonly dependencies: ExpiryReconcilerDependencies) {}

  /** Schedules the jobs that are due; call it regularly. Rejects while the store or the queue is unavailable. */
  async reconcile(): Promise<void> {
    const { jobs, checkpoint, clock } = this.dependencies;
    this.#open ??= this.#follow();
    const open = await this.#open;
    const now = clock.now();
    const due = open.dueBy(now + AHEAD);
    await Promise.all(due.map(({ sessionId, deadline }) => jobs.schedule(sessionId, deadline)));
    for (const { sessionId, deadline } of due) if (deadline < now - GIVE_UP_AFTER) open.forget(sessionId);
    await checkpoint.move(open.since);
  }

  /** Resolves when the history has been read; later events are applied as they arrive. */
  async #follow(): Promise<OpenSessions> {
    const { checkpoint, log } = this.dependencies;
    const since = await checkpoint.load();
    const open = new OpenSessions(since);
    const caughtUp = Promise.withResolvers<void>();
    void this.#read(open, since, caughtUp.resolve)
      .catch((error: unknown) => {
        log.warn('the subscription to open sessions broke and starts again', { component: 'session-expiry', error });
        caughtUp.reject(error);
      })
      .finally(() => {
        this.#open = undefined;
        caughtUp.resolve();
      });
    await caughtUp.promise;
    return open;
  }

  async #read(open: OpenSessions, since: bigint, caughtUp: () => void): Promise<void> {
    const { eventStore, stopping } = this.dependencies;
    for await (const item of eventStore.subscribe<SessionEvent>({ after: since, categories: ['session'], signal: stopping })) {
      if (item === 'caught-up') caughtUp();
      else open.apply(item);
    }
  }
}
