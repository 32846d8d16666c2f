import { type EventStore, idOf, type RecordedEvent } from '#engines/event-store';
import { type Clock, inParallel, type SessionId } from '#kernel';

import type { SessionEvent } from '../domain/session.events.js';
import type { Checkpoint } from '../repositories/checkpoint.js';
import { SESSIONS } from '../streams.js';
import type { RunSessionTimer } from './run-session-timer.js';

/** Milliseconds after its time at which the sweep looks for a session that the timers have not deleted: two days. By then the log does not show the deleted ones either. */
const GRACE = 172_800_000;

const BATCH = 500;
const CONCURRENCY = 32;

export interface SweepOldSessionsParts {
  readonly store: EventStore;
  /** No session before it is stored. */
  readonly checkpoint: Checkpoint;
  readonly run: RunSessionTimer;
  /** How long a session is stored after its end, in milliseconds. */
  readonly retention: number;
  readonly clock: Clock;
}

/**
 * Deletes the sessions that the timers should have deleted and have not, since their rows were lost, and moves the checkpoint to the oldest session that is stored. It reads the log in the
 * order in which sessions were created, from the checkpoint up to the first one that is young enough, and a stream for each that the log still shows.
 */
export class SweepOldSessions {
  constructor(private readonly parts: SweepOldSessionsParts) {}

  /** Ends early with the signal. May be repeated, also by several processes at once. Throws EventStoreUnavailable. */
  async execute(signal: AbortSignal): Promise<void> {
    const { store, checkpoint } = this.parts;
    const end = new AbortController();
    const after = await checkpoint.load();
    let batch: RecordedEvent<SessionEvent>[] = [];
    try {
      for await (const item of store.subscribe<SessionEvent>({
        after,
        categories: [SESSIONS.category],
        // Of a copy that has nothing the checkpoint knows, everything is looked at again.
        restored: 'begin-anew',
        signal: AbortSignal.any([signal, end.signal]),
      })) {
        if (item === 'caught-up' || this.#isYoung(item)) break;
        batch.push(item);
        if (batch.length < BATCH) continue;
        if (!(await this.#delete(batch))) return;
        batch = [];
      }
      await this.#delete(batch);
    } finally {
      end.abort();
    }
  }

  #isYoung({ data }: SessionEvent): boolean {
    return this.parts.clock.now() < data.at + this.parts.retention + GRACE;
  }

  /** Answers whether all sessions of the events are deleted. Moves the checkpoint only then. */
  async #delete(events: readonly RecordedEvent<SessionEvent>[]): Promise<boolean> {
    const created = events.filter(({ type }) => type === 'SessionCreated');
    let left = 0;
    await inParallel(created, CONCURRENCY, async ({ stream }) => {
      const next = await this.parts.run.execute(idOf<SessionId>(stream), 'deletion');
      if (next !== 'deleted' && next !== 'unreadable') left += 1;
    });
    const last = events.at(-1);
    if (left > 0 || !last) return false;
    await this.parts.checkpoint.move(last);
    return true;
  }
}
