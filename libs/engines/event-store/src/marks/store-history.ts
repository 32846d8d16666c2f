import { backgroundPause, type Clock, type Pause, retry, ServiceUnavailable, untilAborted } from '#kernel';

import {
  type EventStore,
  NO_STREAM,
  type Place,
  type RecordedEvent,
  StreamTombstoned,
  SubscriptionRefused,
  WrongExpectedRevision,
} from '../event-store.js';
import { StreamRefused } from '../authentication/stream-refused.js';
import { ownMarks } from './own-marks.js';
import { MARK_STREAM, type MarkEvent, MARKS } from './streams.js';

/** The id of a history that no restoration has begun. */
const FIRST_HISTORY = '';

/** The marks among which a note of the present restoration is looked for. */
const LOOKED_AT = 50;

/** Milliseconds between two tries while the store is unavailable. */
const RETRY = 1_000;

export interface StoreHistoryParts {
  readonly store: EventStore;
  readonly clock: Clock;
  /** Called when the history has changed since this process began: what was kept by revision may be of lost events. */
  readonly changed?: () => void;
  /** Called when this process was the first to note that the store was restored from an older copy. */
  readonly noted?: () => void;
  /**
   * Called with the reason when this process has found that the store was restored, and the stream of marks takes no note of it: another party has appended to it or has closed it. Once for
   * each connection.
   */
  readonly unnoted?: (reason: string) => void;
  /** Replaced in tests that do not wait. */
  readonly pause?: Pause;
}

/** The history that begins with the event, or to which it belongs. */
export const historyAfter = (newest: RecordedEvent<MarkEvent> | undefined): string => {
  if (!newest) return FIRST_HISTORY;
  return newest.type === 'RestorationNoted' ? newest.id : newest.data.history;
};

/**
 * Which history the store has. Whoever finds that the store was restored from an older copy notes it in the stream of marks, once for each restoration, and so all processes learn of it. What
 * is kept outside of the store by revision, such as a status, is kept under the history's id: a revision means another event in another history. What another party appends to the stream of
 * marks changes no history, and a tombstoned one is the first history.
 */
export class StoreHistory {
  #id: string | undefined;
  readonly #known = Promise.withResolvers<void>();
  readonly #listeners: (() => void)[] = [];
  /** By the id of a note: {@link EventStore.continuity} when this process first saw it. */
  readonly #seen = new Map<string, number>();
  #noting: Promise<void> | undefined;
  readonly #ended = new AbortController();
  /** {@link EventStore.continuity} when the last restoration was found that could not be noted. */
  #unnotedAt: number | undefined;

  constructor(private readonly parts: StoreHistoryParts) {
    if (parts.changed) this.#listeners.push(parts.changed);
  }

  /** Undefined until the store has told it. */
  get id(): string | undefined {
    return this.#id;
  }

  /** Resolves when the store has told its history, and when {@link run} has ended before. */
  get known(): Promise<void> {
    return this.#known.promise;
  }

  /** Calls the listener at each change of the history. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Follows the store's history until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#ended.abort(), { once: true });
    const { pause = backgroundPause } = this.parts;
    const following = retry(() => this.#follow(signal), { waits: RETRY, signal, pause, when: (error) => !(error instanceof SubscriptionRefused) });
    // Without the right to read everything, the store is not ready.
    await untilAborted(
      signal,
      following.catch(() => undefined),
    );
    this.#known.resolve();
  }

  /** The store lacks what this process knows after the place. Resolves when the stream of marks tells it, and never rejects. Calls at the same time share the work. */
  restored(after: Place | undefined): Promise<void> {
    this.#noting ??= this.#noteUntilStored(after).finally(() => (this.#noting = undefined));
    return this.#noting;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { store } = this.parts;
    for await (const item of store.subscribe<MarkEvent>({ categories: [MARKS.category], after: 'end', signal })) {
      // After each connection: the store may have become another one.
      if (item === 'caught-up') this.#take((await ownMarks(store, 1)).events[0]);
      else this.#take(item);
    }
  }

  async #noteUntilStored(after: Place | undefined): Promise<void> {
    const { pause = backgroundPause } = this.parts;
    const { signal } = this.#ended;
    const noting = retry(() => this.#note(after), {
      waits: (_, error) => (error instanceof WrongExpectedRevision ? 0 : RETRY),
      when: (error) => error instanceof ServiceUnavailable || error instanceof WrongExpectedRevision,
      signal,
      pause,
    });
    await noting.catch((error: unknown) => {
      if (error instanceof StreamRefused || error instanceof StreamTombstoned) this.#goOnUnnoted(error);
    });
  }

  /** The history keeps its id, since the other processes learn of no other one. What this process keeps by revision begins anew all the same. */
  #goOnUnnoted(error: StreamRefused | StreamTombstoned): void {
    const { store, unnoted } = this.parts;
    if (this.#unnotedAt === store.continuity) return;
    this.#unnotedAt = store.continuity;
    unnoted?.(error instanceof StreamRefused ? error.reason : error.message);
    for (const listener of this.#listeners) listener();
  }

  async #note(after: Place | undefined): Promise<void> {
    const { store, clock, noted } = this.parts;
    const { events: newest, refused } = await ownMarks(store, LOOKED_AT);
    const known = newest.find((event) => event.type === 'RestorationNoted' && this.#isOfThisRestoration(event, after));
    if (known) return this.#take(newest[0]);
    if (refused) throw refused;
    const at = clock.now();
    const note: MarkEvent = { type: 'RestorationNoted', data: { at } };
    const { ids } = await store.append(MARK_STREAM, newest[0]?.revision ?? NO_STREAM, [note]);
    noted?.();
    this.#changeTo(ids[0] as string);
  }

  /** Whether another reader has noted the restoration that was found: behind the common part, and not before the connection was lost. */
  #isOfThisRestoration({ id, position }: RecordedEvent, after: Place | undefined): boolean {
    const seen = this.#seen.get(id);
    return position > (after?.position ?? 0n) && (seen === undefined || seen === this.parts.store.continuity);
  }

  #take(newest: RecordedEvent<MarkEvent> | undefined): void {
    this.#changeTo(historyAfter(newest));
  }

  #changeTo(id: string): void {
    if (id !== FIRST_HISTORY && !this.#seen.has(id)) this.#seen.set(id, this.parts.store.continuity);
    const before = this.#id;
    if (before === id) return;
    this.#id = id;
    this.#known.resolve();
    if (before !== undefined) for (const listener of this.#listeners) listener();
  }
}
