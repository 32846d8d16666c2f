import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { categoryOf, type EventStore, NO_STREAM, SqliteEventStore, type StreamName, streamName } from '#engines/event-store';
import { CheckpointWriter, FolderPlace, noteSigner, PublishedLog } from '#engines/transparency-log';
import { Secret, SystemClock } from '#kernel';
import { FixedClock } from '../kernel/fixed-clock.js';

import { authenticated } from '../event-store/authenticated.js';

export const SIGNER = noteSigner('countersign/test', new Secret(Buffer.alloc(32, 'checkpoint')));

/** Types of events that begin with `Guarded`, in these categories, are leaves. */
export const GUARDED = {
  categories: ['right', 'phone'],
  has: ({ stream, type }: { stream: string; type: string }): boolean =>
    GUARDED.categories.includes(categoryOf(stream as never)) && type.startsWith('Guarded'),
};

/** Streams whose newest leaves each checkpoint names. */
export const HEADS: readonly StreamName[] = [streamName('right', '0'), streamName('right', 'a')];

/** What a process begins with that writes the checkpoints of the store into a folder. */
export const writerOver = (store: EventStore, folder: string): CheckpointWriter =>
  new CheckpointWriter({ store, clock: new SystemClock(), logs: [logIn(folder)], signer: () => SIGNER, heads: HEADS, guarded: GUARDED });

/** The log that lies in the folder. */
export const logIn = (folder: string, name = folder): PublishedLog =>
  new PublishedLog(new FolderPlace(name, folder), 'countersign/test', () => [SIGNER.verifier]);

/** A store in memory whose checkpoints lie in folders of the run. */
export class AnchoredStore implements Disposable {
  readonly clock = new FixedClock();
  readonly sqlite = new SqliteEventStore({ path: ':memory:', clock: this.clock });
  readonly store: EventStore = authenticated(this.sqlite);
  readonly folders: readonly string[];
  readonly told: string[] = [];

  constructor(places = 1) {
    this.folders = Array.from({ length: places }, () => mkdtempSync(join(tmpdir(), 'anchor-')));
  }

  logs(): readonly PublishedLog[] {
    return this.folders.map((folder, index) => logIn(folder, `place ${index}`));
  }

  /** A writer as a process begins with. */
  writer(store = this.store): CheckpointWriter {
    return new CheckpointWriter({
      store,
      clock: this.clock,
      logs: this.logs(),
      signer: () => SIGNER,
      heads: HEADS,
      guarded: GUARDED,
      published: (place, size) => this.told.push(`${place}: ${size}`),
      unpublished: (place) => this.told.push(`${place}: not published`),
    });
  }

  /** Appends events to a stream: `Guarded…` ones are leaves. */
  async append(category: string, id: string, types: readonly string[], store = this.store): Promise<void> {
    const stream = streamName(category, id);
    const [last] = await store.read(stream, { direction: 'backwards', limit: 1 });
    await store.append(
      stream,
      last?.revision ?? NO_STREAM,
      types.map((type) => ({ type, data: {} })),
    );
  }

  [Symbol.dispose](): void {
    for (const folder of this.folders) rmSync(folder, { recursive: true, force: true });
  }
}
