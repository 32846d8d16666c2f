import type { RecordedEvent } from '../event-store.js';

/** An event that is kept in memory. */
export interface RecentEvent {
  readonly event: RecordedEvent;
  /** Epoch milliseconds, or Infinity. */
  readonly expiresAt: number;
  /** About its size in memory, in characters. */
  readonly size: number;
}
