import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type EventStore, NO_STREAM, SqliteEventStore, type StreamName, streamName } from '#engines/event-store';
import { AnchoredEventStore, HistoryGuard } from '#engines/transparency-log';
import { SystemClock } from '#kernel';
import { authenticated } from '#testkit/event-store/authenticated';
import { GUARDED, logIn, writerOver } from '#testkit/transparency-log/anchored-store';

/** Guarded events of one stream: a person who is registered, gets a code, a phone, and loses it. */
const EVENTS = 4;
/** Streams that one transaction stores while the file is filled. */
const TOGETHER = 50;

export const streamAt = (index: number): StreamName => streamName('right', `${index}`);

const guardedEvents = (count: number) => Array.from({ length: count }, (_, at) => ({ type: 'GuardedGrant', data: { at } }));

/** A SQLite file with so many guarded events, and the folder of its checkpoints. */
export class FilledHistory implements AsyncDisposable {
  readonly streams: number;

  private constructor(
    private readonly folder: string,
    readonly leaves: number,
  ) {
    this.streams = Math.ceil(leaves / EVENTS);
  }

  static async fill(leaves: number): Promise<FilledHistory> {
    const history = new FilledHistory(await mkdtemp(join(tmpdir(), 'countersign-history-')), leaves);
    await mkdir(history.anchor);
    const store = history.open();
    for (let first = 0; first < history.streams; first += TOGETHER) {
      const indexes = Array.from({ length: Math.min(TOGETHER, history.streams - first) }, (_, at) => first + at);
      await store.appendTogether(indexes.map((index) => ({ stream: streamAt(index), expected: NO_STREAM, events: guardedEvents(EVENTS) })));
    }
    await store.close();
    return history;
  }

  /** Where the checkpoints lie. */
  get anchor(): string {
    return join(this.folder, 'anchor');
  }

  /** The store as a process begins with it: it remembers nothing. */
  open(): EventStore {
    return authenticated(new SqliteEventStore({ path: join(this.folder, 'events.sqlite'), clock: new SystemClock() }));
  }

  writer(store: EventStore) {
    return writerOver(store, this.anchor);
  }

  guard(store: EventStore): HistoryGuard {
    const lost = ({ reason }: { readonly reason: string }): never => {
      throw new Error(reason);
    };
    return new HistoryGuard({
      store,
      logs: [logIn(this.anchor)],
      truncatedBefore: () => [],
      heads: [streamAt(0)],
      lost,
      unavailable: (place, reason) => lost({ reason: `${place}: ${reason}` }),
    });
  }

  /** The store whose reads are compared. */
  anchored(store: EventStore, guard: HistoryGuard): EventStore {
    return new AnchoredEventStore(store, guard, new Set(GUARDED.categories));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true });
  }
}
