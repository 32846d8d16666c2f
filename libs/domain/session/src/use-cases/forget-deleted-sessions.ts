import { type Clock, ServiceUnavailable } from '#kernel';

import type { PersonSessions } from '../read-models/person-sessions.js';
import type { Checkpoint } from '../repositories/checkpoint.js';

/** Milliseconds between two rounds. */
const INTERVAL = 3_600_000;

/** Removes the rows of sessions that were deleted since their retention was over. */
export class ForgetDeletedSessions {
  #next = -Infinity;

  constructor(
    private readonly found: Pick<PersonSessions, 'forget'>,
    /** Of SweepOldSessions: no session before it is stored. */
    private readonly retentionCheckpoint: Checkpoint,
    private readonly clock: Clock,
  ) {}

  /** Does nothing until an hour has passed since the last round. May be repeated, also by several processes at once. Ends early with the signal, and while the store or the read model is unavailable. */
  async execute(signal: AbortSignal): Promise<void> {
    const now = this.clock.now();
    if (now < this.#next) return;
    try {
      const reached = await this.retentionCheckpoint.position();
      while (!signal.aborted && (await this.found.forget(reached)));
      this.#next = now + INTERVAL;
    } catch (error) {
      // Erasures must not wait for it.
      if (!(error instanceof ServiceUnavailable)) throw error;
    }
  }
}
