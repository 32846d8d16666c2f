import type { Clock } from '#kernel';

import { countAfter } from '../count-after.js';
import { StreamRefused } from '../authentication/stream-refused.js';
import { type EventStore, NO_STREAM, StreamTombstoned, WrongExpectedRevision } from '../event-store.js';
import { MARK_STREAM, type MarkEvent } from './streams.js';
import { historyAfter } from './store-history.js';

/** Milliseconds between two marks of a store in use. A reader that has lost its place repeats at most the events of this time. */
export const MARK_INTERVAL = 60_000;

/** Milliseconds between two calls of {@link MarkWriter.write}: a mark is late by so much at most. */
export const MARK_CHECK_INTERVAL = 15_000;

/** Milliseconds between two calls of {@link MarkWriterParts.refused}. */
const TOLD_EACH = 3_600_000;

export interface MarkWriterParts {
  readonly store: EventStore;
  readonly clock: Clock;
  /** A mark is written only after an event of these: those that readers follow. */
  readonly categories: readonly string[];
  /** Called with the reason, once an hour, while another party keeps marks from being written: it has appended to their stream, or has closed it. */
  readonly refused?: (reason: string) => void;
}

/** Writes the marks of a store. Run by the holder of one lease. More writers would write no more marks: the store takes one at each revision. */
export class MarkWriter {
  #toldAt: number | undefined;

  constructor(private readonly parts: MarkWriterParts) {}

  /**
   * Writes a mark unless the last one is younger than the interval, or nothing was stored since. To be repeated. Writes none while the stream of marks is refused or tombstoned: everything else
   * goes on without. Throws ServiceUnavailable, and the reason of the signal.
   */
  async write(signal: AbortSignal): Promise<void> {
    try {
      await this.#write(signal);
    } catch (error) {
      if (!(error instanceof StreamRefused || error instanceof StreamTombstoned)) throw error;
      this.#tell(error instanceof StreamRefused ? error.reason : error.message);
    }
  }

  #tell(reason: string): void {
    const now = this.parts.clock.monotonic();
    if (this.#toldAt !== undefined && now < this.#toldAt + TOLD_EACH) return;
    this.#toldAt = now;
    this.parts.refused?.(reason);
  }

  async #write(signal: AbortSignal): Promise<void> {
    const { store, clock } = this.parts;
    const [newest] = await store.read<MarkEvent>(MARK_STREAM, { direction: 'backwards', limit: 1 });
    const at = clock.now();
    if (newest && at - newest.data.at < MARK_INTERVAL) return;
    if (!(await this.#hasGrown(newest, signal))) return;
    const marked: MarkEvent = { type: 'Marked', data: { at, history: historyAfter(newest) } };
    await store.append(MARK_STREAM, newest?.revision ?? NO_STREAM, [marked]).catch((error: unknown) => {
      if (!(error instanceof WrongExpectedRevision)) throw error; // another process was first
    });
  }

  async #hasGrown(after: Parameters<typeof countAfter>[1]['after'], signal: AbortSignal): Promise<boolean> {
    const { store, categories } = this.parts;
    return (await countAfter(store, { after, categories, most: 1, signal })) === 1;
  }
}
