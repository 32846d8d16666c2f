import { PlaceUnavailable } from './anchor-place.js';
import { HistoryRefused } from './history-refused.js';
import type { KnownLeaves } from './known-leaves.js';
import type { PublishedLog } from './published-log.js';
import { NoteRefused } from './signed-note.js';
import type { StampedCheckpoint } from './stamped-checkpoints.js';
import { type Stamper, StampRefused } from './stamper.js';

/** What is remembered of a time-stamped checkpoint whose token was verified. */
type Stamped = Pick<StampedCheckpoint, 'size' | 'root' | 'at'> & { readonly stampedAt: number };

export interface StampComparisonParts {
  readonly timeOf: Stamper['timeOf'];
  /** Told of a place that does not answer, or whose newest time-stamp proves nothing. */
  readonly unavailable: (place: string, reason: string) => void;
}

/** Compares the known leaves with the newest checkpoint of each place that another party has time-stamped: no key of the service makes a second one of that time. */
export class StampComparison {
  readonly #verified = new Map<PublishedLog, Stamped>();

  constructor(private readonly parts: StampComparisonParts) {}

  /** How they differ. Checkpoints from before `since`, epoch milliseconds, do not count: a loss was accepted then. */
  async differenceFrom(known: KnownLeaves, logs: readonly PublishedLog[], since: number): Promise<HistoryRefused | undefined> {
    for (const log of logs) {
      const difference = await this.#differenceAt(log, known, since).catch((error: unknown) => this.#unavailable(log, error));
      if (difference) return difference;
    }
    return undefined;
  }

  async #differenceAt(log: PublishedLog, known: KnownLeaves, since: number): Promise<HistoryRefused | undefined> {
    const stamped = await this.#newest(log);
    if (!stamped || stamped.at <= since) return undefined;
    const { size, root, stampedAt } = stamped;
    const of = `a checkpoint of ${size} leaves was time-stamped at ${new Date(stampedAt).toISOString()}`;
    if (size > known.size) {
      // A writer publishes a checkpoint before its time-stamp, so it is there now if the leaves are merely not known yet.
      const there = (await log.newest())?.size ?? 0;
      return there < size ? new HistoryRefused(`${of}, and the newest one at ${log.place.name} has ${there}: it was lost there`) : undefined;
    }
    return known.tree.root(size).equals(root) ? undefined : new HistoryRefused(`${of}, and the leaves have another root: they are another history`);
  }

  /** The token of each is verified once. */
  async #newest(log: PublishedLog): Promise<Stamped | undefined> {
    const size = await log.stamped.newestSize();
    const before = this.#verified.get(log);
    if (size === undefined || size === before?.size) return before;
    const { note, token, root, at } = await log.stamped.read(size);
    const verified = { size, root, at, stampedAt: this.parts.timeOf(token, note) };
    this.#verified.set(log, verified);
    return verified;
  }

  #unavailable(log: PublishedLog, error: unknown): undefined {
    if (!(error instanceof PlaceUnavailable || error instanceof NoteRefused || error instanceof StampRefused)) throw error;
    this.parts.unavailable(log.place.name, error.message);
  }
}
