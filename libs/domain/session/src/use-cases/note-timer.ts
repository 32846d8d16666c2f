import type { CloudEvent } from '#engines/message-bus';

import type { Lifetimes } from '../domain/lifetimes.js';
import type { SessionFacts } from '../integration-events.js';
import type { TimerRows } from '../read-models/timer-rows.js';
import type { TimerRow } from '../read-models/timer-tables.js';
import { timerAfter } from '../timers/timer-after.js';
import type { TopicShare } from '../timers/topic-share.js';

/** Stores when the next timed work on a session is due, as its events tell. Costs one row, and no read of the stream. */
export class NoteTimer {
  constructor(
    private readonly rows: Pick<TimerRows, 'note'>,
    private readonly share: TopicShare,
    private readonly lifetimes: Lifetimes,
    /** Told each row that was stored. */
    private readonly noted: (row: TimerRow) => void,
  ) {}

  /** May be repeated, and called with an event that later ones have overtaken. Throws ReadModelsUnavailable. */
  async execute(message: CloudEvent<SessionFacts>): Promise<void> {
    const row = await this.rowAfter(message);
    if (!row) return;
    await this.rows.note(row, message.id);
    this.noted(row);
  }

  /** The row that the event leads to; undefined when it changes nothing. */
  async rowAfter(message: CloudEvent<SessionFacts>): Promise<TimerRow | undefined> {
    const timer = timerAfter(message, this.lifetimes);
    const { sessionId } = message.data;
    return timer && { ...timer, session_id: sessionId, partition: await this.share.partitionOf(sessionId), revision: message.esrevision };
  }
}
