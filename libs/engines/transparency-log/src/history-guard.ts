import { lossStream, type ReadOptions, type RecordedEvent, type RefusalReason, type StreamName, StreamRefused } from '#engines/event-store';
import { pause as systemPause } from '#kernel';

import { type Loss, voidOf } from './acceptances.js';
import { PlaceUnavailable } from './anchor-place.js';
import { missingLeaves } from './guarded-reads.js';
import type { CheckedRead, HistoryGuardParts, HistoryLoss } from './history-guard-parts.js';
import { HistoryRefused } from './history-refused.js';
import { KnownLeaves } from './known-leaves.js';
import { streamDigest } from './leaf.js';
import { loadLeaves, type Newest, openNewest, readNote } from './open-history.js';
import { proveEvents, type ProvenEvents } from './prove-events.js';
import type { PublishedLog, SignedCheckpoint } from './published-log.js';
import { NoteRefused } from './signed-note.js';
import { StampComparison } from './stamp-comparison.js';

/** Before the first comparison: nobody knows. */
const NOT_COMPARED: HistoryLoss = { reason: 'the history was not compared yet' };

/** Streams that lack events, which are looked at again each time, and streams that are to be compared once the leaves are known. */
const MOST_STREAMS = 1_000;

/** Leaves that the first comparison reads itself. Where there are more of them, it compares what the checkpoint names, and they are read after it. */
const AT_ONCE = 1_024;

/** Compares the store with the checkpoints outside of it. While they differ, what gives or takes a right has to wait: {@link loss}. */
export class HistoryGuard {
  #known = new KnownLeaves();
  /** The newest one whose leaves are known. */
  #checkpoint: SignedCheckpoint | undefined;
  /** Whether all leaves under the newest checkpoint that was read are known. */
  #areTaken = false;
  /** While the leaves are read that the first comparison has left out. */
  #taking: Promise<void> | undefined;
  /** Streams that were read before the leaves were known. */
  readonly #owed = new Set<StreamName>();
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
   * Compares root and size in constant time, takes the new leaves, and looks at the ends of the streams that matter most. To be repeated each minute. The first call reads a bounded number of
   * leaves: of more of them it compares the ends that the signed checkpoint names, and the leaves are read after it ({@link taken}). A loss that was found before ends when the store
   * and the places agree again, and its stream has all its events. Throws what reads throw.
   */
  async look(): Promise<void> {
    await this.#taking;
    const later = await this.#comparePlaces();
    for (const stream of this.parts.heads) await this.#lookAtHead(stream);
    for (const stream of this.#streams.keys()) if (await this.#isWhole(stream, {})) this.#streams.delete(stream);
    await this.#compareOwed();
    if (later) this.#taking = this.#takeLater(later).finally(() => (this.#taking = undefined));
  }

  /** Waits for the leaves that the first comparison has left out, if it has. Never throws: what is wrong with them is a {@link loss}. */
  async taken(): Promise<void> {
    await this.#taking;
  }

  /** The events, if the read shows all guarded ones that it must show. Looks again before it throws StreamRefused: a read may be older than a leaf, and a node that begins to lead may lag. */
  async checked<Event extends RecordedEvent>(
    stream: StreamName,
    options: ReadOptions,
    read: () => Promise<readonly Event[]>,
  ): Promise<CheckedRead<Event>> {
    const { pause = systemPause, truncatedBefore } = this.parts;
    const look = () => read().catch((error: unknown) => this.#passOnRefusal(error));
    for (let looks = 1; ; looks++) {
      const events = await look();
      const isCompared = this.#areTaken;
      if (!isCompared && this.#owed.size < MOST_STREAMS) this.#owed.add(stream);
      const [missing] = missingLeaves(this.#known, { stream, options, events, truncatedBefore: truncatedBefore(stream) });
      if (!missing || (events.length === 0 && (await this.isLossNoted(streamDigest(stream))))) return { events, isCompared };
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

  /** What is to be read later, where the first comparison leaves it out. */
  async #comparePlaces(): Promise<Newest | undefined> {
    const { store, logs, unavailable, pause } = this.parts;
    try {
      const told = (log: PublishedLog, error: PlaceUnavailable): void => unavailable(log.place.name, error.reason);
      const newest = await openNewest(store, logs, { unavailable: told, ...(pause && { pause }) });
      this.#accept(newest.acceptances);
      const { difference, furthest } = newest;
      const size = furthest.checkpoint?.size ?? 0;
      if (size < this.#known.size) {
        const reason = `leaf ${this.#known.size} was read outside of the store, and the newest checkpoint has ${size}`;
        this.#differ(difference ?? new HistoryRefused(reason));
      } else if (this.#difference === NOT_COMPARED && furthest.checkpoint?.heads.length && size > AT_ONCE) {
        this.#known.announce(furthest.checkpoint.heads);
        this.#differ(difference);
        return newest;
      } else await this.#take(newest);
    } catch (error) {
      if (error instanceof PlaceUnavailable) await this.#withoutPlaces(error);
      else if (error instanceof HistoryRefused || error instanceof NoteRefused) this.#forget(error);
      else throw error;
    }
    return undefined;
  }

  async #take({ found, furthest, difference, acceptances }: Newest): Promise<void> {
    await loadLeaves(this.#known, furthest);
    this.#checkpoint = furthest.checkpoint;
    this.#areTaken = true;
    const logs = found.map(({ log }) => log);
    this.#differ(difference ?? (await this.#stamps?.differenceFrom(this.#known, logs, acceptances.at(-1)?.at ?? -Infinity)));
  }

  /** Leaves that cannot be read count as missing ones. */
  async #takeLater(newest: Newest): Promise<void> {
    await this.#take(newest).catch((error: unknown) => this.#forget(error as Error));
    // A store that does not answer is asked again by the next comparison.
    await this.#compareOwed().catch(() => undefined);
  }

  /** What was read before all leaves were known. */
  async #compareOwed(): Promise<void> {
    if (!this.#areTaken) return;
    for (const stream of this.#owed) {
      await this.#isWhole(stream, {});
      this.#owed.delete(stream);
    }
  }

  #forget(error: Error): void {
    this.#know(new KnownLeaves());
    this.#accepted = 0;
    this.#differ(error);
  }

  #know(known: KnownLeaves): void {
    this.#known = known;
    this.#checkpoint = undefined;
    this.#areTaken = false;
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
    this.#lose(refusal);
    return refusal;
  }

  #lose({ reason, stream }: StreamRefused): void {
    const loss = { reason, stream };
    if (!this.#streams.has(stream)) this.parts.lost(loss);
    if (this.#streams.size < MOST_STREAMS) this.#streams.set(stream, loss);
  }

  /** A store that refuses a stream hides it from the leaves. It is a loss all the same where events are gone, and where no event of the service stands in the place of a leaf. */
  #passOnRefusal(error: unknown): never {
    if (!(error instanceof StreamRefused)) throw error;
    const [stream, { revision, because }] = [streamDigest(error.stream), error];
    if (LACKS.includes(because) ? this.#known.has(stream) : REPLACED.includes(because) && this.#known.find({ stream, revision })) this.#lose(error);
    throw error;
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

/** Why a store refuses a stream that lacks events, and one with an event of another party. An unknown key tells nothing of either. */
const LACKS: readonly RefusalReason[] = ['chain', 'missing'];
const REPLACED: readonly RefusalReason[] = ['forged', 'unsigned'];

/** Milliseconds between two looks at a stream, and how many looks decide. */
const PAUSE = 100;
const LOOKS = 3;
