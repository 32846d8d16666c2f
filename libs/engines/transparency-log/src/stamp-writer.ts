import { type Clock, ServiceUnavailable } from '#kernel';

import { PlaceUnavailable } from './anchor-place.js';
import type { PublishedLog } from './published-log.js';
import { NoteRefused } from './signed-note.js';
import { type Stamper, StampRefused } from './stamper.js';

/** Milliseconds between two time-stamps at one place, and until the next try after one that failed. */
export const STAMP_INTERVAL = 3_600_000;
const RETRY = 60_000;

export interface StampWriterParts {
  readonly logs: readonly PublishedLog[];
  readonly stamper: Stamper;
  readonly clock: Clock;
  /** Told of each checkpoint that got a time-stamp. */
  readonly stamped: (size: number) => void;
  /** Told why one got none. */
  readonly failed: (reason: string) => void;
}

/** Has the newest checkpoint of each place stamped once an hour, if it has new leaves, and keeps the token beside it. */
export class StampWriter {
  /** When the next one is due at each place, epoch milliseconds. */
  readonly #due = new Map<PublishedLog, number>();
  #underWay: Promise<void> | undefined;

  constructor(private readonly parts: StampWriterParts) {}

  /** To be repeated. A call beside another one does nothing more. Never rejects for an authority or a place that fails. */
  write(): Promise<void> {
    this.#underWay ??= this.#write().finally(() => (this.#underWay = undefined));
    return this.#underWay;
  }

  async #write(): Promise<void> {
    for (const log of this.parts.logs) {
      try {
        await this.#writeAt(log);
      } catch (error) {
        if (!isPassing(error)) throw error;
        this.parts.failed(error.message);
      }
    }
  }

  async #writeAt(log: PublishedLog): Promise<void> {
    const { stamper, clock, stamped } = this.parts;
    if (clock.now() < (this.#due.get(log) ?? 0)) return;
    const isFirst = !this.#due.has(log);
    this.#due.set(log, clock.now() + RETRY);
    const last = await log.stamped.newestSize();
    const due = isFirst && last !== undefined ? (await this.#timeOf(log, last)) + STAMP_INTERVAL : 0;
    if (clock.now() < due) return void this.#due.set(log, due);
    const newest = await log.newest();
    if (!newest || newest.size === last) return;
    const note = Buffer.from(newest.note);
    await log.stamped.keep({ size: newest.size, note, token: await stamper.stamp(note) });
    this.#due.set(log, clock.now() + STAMP_INTERVAL);
    stamped(newest.size);
  }

  /** When the one of this size was made. One that proves nothing is followed by another at once. */
  async #timeOf(log: PublishedLog, size: number): Promise<number> {
    try {
      const { token, note } = await log.stamped.read(size);
      return this.parts.stamper.timeOf(token, note);
    } catch (error) {
      if (error instanceof StampRefused || error instanceof NoteRefused) return -Infinity;
      throw error;
    }
  }
}

const isPassing = (error: unknown): error is Error =>
  error instanceof ServiceUnavailable || error instanceof PlaceUnavailable || error instanceof NoteRefused;
