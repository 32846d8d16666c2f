import type { EventStore, RecordedEvent } from '#event-store';
import type { Clock } from '#kernel';

import type { SessionEvent } from '../domain/session.events.js';
import type { Checkpoint } from '../repositories/checkpoint.js';

/** Events between two moves of the checkpoint. */
const CHECKPOINT_INTERVAL = 500;

export interface RetentionRule {
  /** When something of the session is to be erased, epoch milliseconds; undefined when there is nothing to erase. */
  dueAt(created: RecordedEvent<SessionEvent>): Promise<number | undefined>;
  erase(created: RecordedEvent<SessionEvent>): Promise<void>;
}

export interface RetentionSweepDependencies {
  readonly eventStore: EventStore;
  readonly clock: Clock;
  readonly checkpoint: Checkpoint;
  /** The time to the next run when no session is due, in milliseconds. */
  readonly idleInterval: number;
}

/**
 * Erases parts of ended sessions by a rule. It reads the log in the order in which sessions were created, up to the first that is not due,
 * and holds nothing in memory.
 */
export class RetentionSweep {
  constructor(
    private readonly dependencies: RetentionSweepDependencies,
    private readonly rule: RetentionRule,
  ) {}

  /** Answers when the next run is due, epoch milliseconds. Ends early with the signal. May be repeated and run concurrently. */
  async execute(signal: AbortSignal): Promise<number> {
    const { eventStore, clock, checkpoint, idleInterval } = this.dependencies;
    const end = new AbortController();
    let processed = await checkpoint.load();
    let count = 0;
    const categories = ['session'];
    const subscription = eventStore.subscribe<SessionEvent>({ after: processed, categories, signal: AbortSignal.any([signal, end.signal]) });
    try {
      for await (const item of subscription) {
        if (item === 'caught-up') break;
        if (item.type === 'SessionCreated') {
          const due = await this.rule.dueAt(item);
          if (due !== undefined && clock.now() < due) return due;
          if (due !== undefined) await this.rule.erase(item);
        }
        processed = item.position;
        if (++count % CHECKPOINT_INTERVAL === 0) await checkpoint.move(processed);
      }
      return clock.now() + idleInterval;
    } finally {
      end.abort();
      await checkpoint.move(processed);
    }
  }
}
