import { type EventStore, lossStream, type ReadOptions, type RecordedEvent, type StreamName, StreamRefused } from '#engines/event-store';
import { pause as systemPause, type Pause } from '#kernel';

import { type Loss, voidOf } from './acceptances.js';
import { PlaceUnavailable } from './anchor-place.js';
import { missingLeaves } from './guarded-reads.js';
import { HistoryRefused } from './history-refused.js';
import { KnownLeaves } from './known-leaves.js';
import { streamDigest } from './leaf.js';
import { loadLeaves, openNewest, readNote } from './open-history.js';
import { proveEvents, type ProvenEvents } from './prove-events.js';
import type { PublishedLog, SignedCheckpoint } from './published-log.js';
import { NoteRefused } from './signed-note.js';
import { StampComparison } from './stamp-comparison.js';
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

/** Before the first comparison: nobody knows. */
const NOT_COMPARED: HistoryLoss = { reason: 'the history was not compared yet' };

/** Streams that lack events, which are looked at again each time. */
const MOST_STREAMS = 1_000;

/** Compares the store with the checkpoints outside of it. While they differ, what gives or takes a right has to wait: {@link loss}. */
export class HistoryGuard {
  #known = new KnownLeaves();
  /** The newest one whose leaves are known. */
  #checkpoint: SignedCheckpoint | undefined;
  /** Losses that were accepted. */
  #accepted = 0;
  /** Between the checkpoints. */
  #difference: HistoryLoss | undefined = NOT_COMPARED;
  /** By the stream that lacks an event. */
  readonly #streams = new Map<StreamName, HistoryLoss>();
  /** Of the last pass over all leaves. */
  #ofPass: HistoryLoss | undefined;
  readonly #stamps;

  constructor(private readonly parts: HistoryGuardParts) {
    const { stamper, unavailable } = parts;
    this.#stamps = stamper && new StampComparison({ timeOf: stamper.timeOf, unavailable });
  }

  /** Undefined while the store has all that it must have. */
  get loss(): HistoryLoss | undefined {
    const [ofStream] = this.#streams.values();
    return this.#difference ?? ofStream ?? this.#ofPass;
  }

  /** The leaves under the newest checkpoint that was read. */
  get known(): KnownLeaves {
    return this.#known;
  }

  /**
   * Compares root and size in constant time, takes the new leaves, and looks at the ends of the streams that matter most. To be repeated each minute. A loss that was found before ends when the store
   * and the places agree again, and its stream has all its events. Throws what reads throw.
   */
  async look(): Promise<void> {
    const { store, logs, heads, unavailable, pause } = this.parts;
    try {
      const told = (log: PublishedLog, error: PlaceUnavailable): void => unavailable(log.place.name, error.reason);
      const { found, furthest, difference, acceptances } = await openNewest(store, logs, { unavailable: told, ...(pause && { pause }) });
      this.#accept(acceptances);
      const size = furthest.checkpoint?.size ?? 0;
      const isShorter =
        size < this.#known.size &&
        new HistoryRefused(`leaf ${this.#known.size} was read outside of the store, and the newest checkpoint has ${size}`);
      if (!isShorter) {
        await loadLeaves(this.#known, furthest);
        this.#checkpoint = furthest.checkpoint;
      }
      const logsThere = found.map(({ log }) => log);
      this.#differ(difference ?? (isShorter || (await this.#stamps?.differenceFrom(this.#known, logsThere, acceptances.at(-1)?.at ?? -Infinity))));
    } catch (error) {
      if (error instanceof PlaceUnavailable) await this.#withoutPlaces(error);
      else if (error instanceof HistoryRefused || error instanceof NoteRefused) {
        this.#know(new KnownLeaves());
        this.#accepted = 0;
        this.#differ(error);
      } else throw error;
    }
    for (const stream of heads) await this.#lookAtHead(stream);
    for (const stream of this.#streams.keys()) if (await this.#isWhole(stream, {})) this.#streams.delete(stream);
  }

  /** The events, if the read shows all guarded ones that it must show. Looks again before it throws StreamRefused: a read may be older than a leaf, and a node that begins to lead may lag. */
  async checked<Event extends RecordedEvent>(
    stream: StreamName,
    options: ReadOptions,
    read: () => Promise<readonly Event[]>,
  ): Promise<readonly Event[]> {
    const { pause = systemPause, truncatedBefore } = this.parts;
    for (let looks = 1; ; looks++) {
      const events = await read();
      const [missing] = missingLeaves(this.#known, { stream, options, events, truncatedBefore: truncatedBefore(stream) });
      if (!missing || (events.length === 0 && (await this.isLossNoted(streamDigest(stream))))) return events;
      if (looks === LOOKS) throw this.#refuse(stream, missing.revision);
      await pause(PAUSE);
    }
  }

  /** Whether the service itself has tombstoned the stream. */
  async isLossNoted(digest: string): Promise<boolean> {
    return (await this.parts.store.read(lossStream(digest), { limit: 1 })).length > 0;
  }

  /** What a pass over all leaves has found: streams of which nothing is left. Undefined: none. */
  passed(loss: HistoryLoss | undefined): void {
    if (loss && loss.reason !== this.#ofPass?.reason) this.parts.lost(loss);
    this.#ofPass = loss;
  }

  /** Proves events of one stream that were read, by the newest checkpoint that this process has compared. */
  prove(events: readonly RecordedEvent[]): ProvenEvents {
    return proveEvents({ known: this.#known, checkpoint: this.#checkpoint }, events);
  }

  #know(known: KnownLeaves): void {
    this.#known = known;
    this.#checkpoint = undefined;
  }

  #accept(acceptances: readonly Loss[]): void {
    if (acceptances.length === this.#accepted) return;
    this.#know(new KnownLeaves(voidOf(acceptances)));
    this.#accepted = acceptances.length;
    // What is still missing will be found by the next pass.
    this.#ofPass = undefined;
    this.parts.accepted?.();
  }

  #differ(error: Error | undefined): void {
    const loss = error && { reason: error.message };
    if (loss && loss.reason !== this.#difference?.reason) this.parts.lost(loss);
    this.#difference = loss;
  }

  #refuse(stream: StreamName, revision: number): StreamRefused {
    const refusal = new StreamRefused(stream, revision, 'missing');
    const loss = { reason: refusal.reason, stream };
    if (!this.#streams.has(stream)) this.parts.lost(loss);
    if (this.#streams.size < MOST_STREAMS) this.#streams.set(stream, loss);
    return refusal;
  }

  /** A place that is lost while the process runs is an alarm alone: what it had is known here. So it is for a store without leaves. */
  async #withoutPlaces(error: PlaceUnavailable): Promise<void> {
    if (this.#difference !== NOT_COMPARED) return;
    if (await readNote(this.parts.store)) this.#differ(error);
    else this.#difference = undefined;
  }

  async #lookAtHead(stream: StreamName): Promise<void> {
    const [head] = this.#known.of(streamDigest(stream));
    if (!head) return;
    if (await this.#isWhole(stream, { direction: 'backwards', limit: 1 }))
      await this.#isWhole(stream, { direction: 'backwards', from: head.revision, limit: 1 });
  }

  async #isWhole(stream: StreamName, options: ReadOptions): Promise<boolean> {
    try {
      await this.checked(stream, options, () => this.parts.store.read(stream, options));
      return true;
    } catch (error) {
      if (!(error instanceof StreamRefused)) throw error;
      return false;
    }
  }
}

/** Milliseconds between two looks at a stream, and how many looks decide. */
const PAUSE = 100;
const LOOKS = 3;
