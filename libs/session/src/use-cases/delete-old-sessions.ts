import type { EventStore, RecordedEvent } from '#event-store';
import type { Clock, SessionId } from '#kernel';

import { endOf } from '../domain/session.js';
import type { Checkpoint } from '../read-models/checkpoint.js';
import type { Sessions } from './sessions.js';

/** How long a session's stream is kept after its end, in milliseconds: thirty days (api-extensions 1.13). */
const KEPT = 2_592_000_000;

/** When to look again if there is no session to wait for, in milliseconds. */
const IDLE = 3_600_000;

/** So many events are passed between two moves of the checkpoint. */
const STEP = 500;

/**
 * Deletes the streams of sessions that ended thirty days ago: walks through the log thirty days behind the present, in the
 * order in which sessions were created, and holds nothing in memory.
 */
export class DeleteOldSessions {
  constructor(
    private readonly store: EventStore,
    private readonly sessions: Sessions,
    private readonly checkpoint: Checkpoint,
    private readonly clock: Clock,
  ) {}

  /** Answers when to look again, epoch milliseconds. Ends early with the signal. May be repeated, and run twice at once. */
  async execute(signal: AbortSignal): Promise<number> {
    const enough = new AbortController();
    let done = await this.checkpoint.load();
    let passed = 0;
    try {
      for await (const item of this.store.subscribe({ after: done, categories: ['session'], signal: AbortSignal.any([signal, enough.signal]) })) {
        if (item === 'caught-up') break;
        const due = item.type === 'SessionCreated' ? await this.#dueAt(item) : 0;
        if (this.clock.now() < due) return due;
        if (item.type === 'SessionCreated') await this.store.delete(item.stream);
        done = item.position;
        if (++passed % STEP === 0) await this.checkpoint.move(done);
      }
      return this.clock.now() + IDLE;
    } finally {
      enough.abort();
      await this.checkpoint.move(done);
    }
  }

  /** When the stream may be deleted; a session does not end before it is created. */
  async #dueAt({ stream, data }: RecordedEvent): Promise<number> {
    const soonest = (data['at'] as number) + KEPT;
    if (this.clock.now() < soonest) return soonest;
    const { state } = await this.sessions.history(stream.slice('session-'.length) as SessionId);
    return state.status === 'NONE' ? 0 : endOf(state) + KEPT;
  }
}
