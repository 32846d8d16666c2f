import type { EventStore, StreamName } from '#engines/event-store';
import type { Pause } from '#kernel';

import type { PublishedLog } from './published-log.js';
import type { Stamper } from './stamper.js';

/** What the store must still contain, and does not. */
export interface HistoryLoss {
  readonly reason: string;
  /** The stream that lacks a guarded event. */
  readonly stream?: StreamName;
}

export interface HistoryGuardParts {
  /** Shows what is stored, without this guard. */
  readonly store: EventStore;
  readonly logs: readonly PublishedLog[];
  /** The types of events before which a stream of the category may be truncated. */
  readonly truncatedBefore: (stream: StreamName) => readonly string[];
  /** The streams whose ends are compared each time: those that say who has which right, and what was done. */
  readonly heads: readonly StreamName[];
  /** Told when a loss was accepted. */
  readonly accepted?: () => void;
  /** Told of each loss when it is found: an alarm. */
  readonly lost: (loss: HistoryLoss) => void;
  /** Told of a place that does not answer. */
  readonly unavailable: (place: string, reason: string) => void;
  readonly pause?: Pause;
  /** Verifies the time-stamps of checkpoints. Absent: none are compared. */
  readonly stamper?: Pick<Stamper, 'timeOf'> | undefined;
}

/** What a read of a stream has shown. */
export interface CheckedRead<Event> {
  readonly events: readonly Event[];
  /** Whether all leaves were known: the events need not be compared again. */
  readonly isCompared: boolean;
}
