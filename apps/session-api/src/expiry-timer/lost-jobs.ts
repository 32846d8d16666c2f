import type { Platform } from '#platform';
import { Checkpoint, OpenSessions } from '#session';

import type { ExpiryJobs } from './expiry-jobs.js';

type Parts = Pick<Platform, 'eventStore' | 'randomness' | 'clock' | 'log' | 'stopping'>;

/** How far ahead a session's end must have its job, in milliseconds: longer than the time to the next look. */
const AHEAD = 60_000;

/** A session that is on record as open so long after its deadline is nothing that a job could end; milliseconds. */
const HOPELESS = 86_400_000;

/**
 * Finds sessions whose time is up, or soon will be, and schedules their jobs as if there were none: a queue that has lost them
 * (Redis flushed) has them back before they are late, and one that has them changes nothing. Follows the store itself, from the
 * oldest session that was open the last time on, so that neither bus nor queue have to be trusted.
 */
export class LostJobs {
  readonly #checkpoint: Checkpoint;
  #open: Promise<OpenSessions> | undefined;

  constructor(
    private readonly parts: Parts,
    private readonly jobs: ExpiryJobs,
  ) {
    this.#checkpoint = new Checkpoint(parts.eventStore, parts.randomness, 'open-sessions');
  }

  /** Schedules what is due; to be repeated. Rejects while store or queue are away. */
  async reconcile(): Promise<void> {
    this.#open ??= this.#follow();
    const open = await this.#open;
    const now = this.parts.clock.now();
    const due = open.dueBy(now + AHEAD);
    await Promise.all(due.map(({ sessionId, deadline }) => this.jobs.schedule(sessionId, deadline)));
    for (const { sessionId, deadline } of due) if (deadline < now - HOPELESS) open.forget(sessionId);
    await this.#checkpoint.move(open.since);
  }

  /** Resolves when the history has been read; what happens then is noted as it comes. */
  async #follow(): Promise<OpenSessions> {
    const since = await this.#checkpoint.load();
    const open = new OpenSessions(since);
    const caughtUp = Promise.withResolvers<void>();
    void this.#read(open, since, caughtUp.resolve)
      .catch((error: unknown) => {
        this.parts.log.warn('open sessions are read anew', { component: 'session-expiry', error });
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
    const { eventStore, stopping } = this.parts;
    for await (const item of eventStore.subscribe({ after: since, categories: ['session'], signal: stopping })) {
      if (item === 'caught-up') caughtUp();
      else open.apply(item);
    }
  }
}
