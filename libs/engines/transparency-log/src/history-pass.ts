import { type EventStore, type StreamName, StreamRefused } from '#engines/event-store';
import { backgroundPause, type Pause } from '#kernel';

import type { Guarded } from './checkpoint-writer.js';
import { guardedStreams } from './guarded-streams.js';
import type { HistoryGuard } from './history-guard.js';
import { streamDigest } from './leaf.js';

/** Milliseconds in which a pass reads all streams: an hour holds a pass and half of the next one. */
const PASS_TIME = 40 * 60_000;

/** Lost streams that are named. */
const NAMED = 20;

/** Milliseconds of the longest pause between two streams. */
const LONGEST_PAUSE = 250;

export interface HistoryPassParts {
  /** Reads through it are checked against the leaves. */
  readonly store: EventStore;
  readonly guard: HistoryGuard;
  readonly guarded: Guarded;
  /** Told of the end of a pass, with the leaves that it has compared. */
  readonly passed?: (leaves: number) => void;
  readonly pause?: Pause;
}

/** Compares every leaf with the store, stream after stream. */
export class HistoryPass {
  constructor(private readonly parts: HistoryPassParts) {}

  /** One pass. What is missing is told to the guard. Throws ServiceUnavailable, and the reason of the signal. */
  async run(signal: AbortSignal): Promise<void> {
    // Where a loss was accepted meanwhile, other leaves count than those that the pass has looked for.
    if (!(await this.#isDone(signal))) await this.#isDone(signal);
  }

  /** Whether the leaves are still those with which the pass began. If not, nothing is told. */
  async #isDone(signal: AbortSignal): Promise<boolean> {
    const { guard, pause = backgroundPause, passed } = this.parts;
    await guard.taken();
    const { known } = guard;
    const size = known.size;
    const unseen = known.streams();
    const wait = Math.min(LONGEST_PAUSE, PASS_TIME / Math.max(1, unseen.size));
    for (const stream of await guardedStreams(this.parts, signal)) {
      if (!unseen.delete(known.keyOf(streamDigest(stream)))) continue;
      await this.#compare(stream);
      await pause(wait, signal);
      signal.throwIfAborted();
    }
    const lost: string[] = [];
    for (const key of unseen) if (!(await guard.isLossNoted(key))) lost.push(this.#nameOf(key));
    if (guard.known !== known) return false;
    const more = lost.length > NAMED ? ` and ${lost.length - NAMED} more` : '';
    guard.passed(lost.length === 0 ? undefined : { reason: `whole streams are missing: ${lost.slice(0, NAMED).join(', ')}${more}` });
    passed?.(size);
    return true;
  }

  /** Nothing in the store has the name any more: it is known by its hash. */
  #nameOf(key: string): string {
    const { known } = this.parts.guard;
    const [head] = known.of(key);
    return `${known.categoryOf(key)}-… with the hash ${key}… (revision ${head?.revision}, leaf ${head?.index})`;
  }

  async #compare(stream: StreamName): Promise<void> {
    try {
      await this.parts.store.read(stream);
    } catch (error) {
      // The guard has noted it where a leaf is missing; a stream with an event of another party has its own alarm.
      if (!(error instanceof StreamRefused)) throw error;
    }
  }
}
