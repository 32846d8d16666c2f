import { type Clock, type EventId, inParallel } from '#kernel';
import { v5 } from 'uuid';

import { type EventStore, NO_STREAM, type StreamName, WrongExpectedRevision } from '../event-store.js';
import { type StoredEvent, type StoredStream, StoredStreams } from '../sqlite/stored-streams.js';

export interface MigrationOptions {
  /** A file of SqliteEventStore that no process holds. */
  readonly path: string;
  /** EventStoreDB without the layer of MACs, which are copied as they are. */
  readonly target: EventStore;
  /** Categories that mean nothing in another store, such as those that hold positions. */
  readonly leftOut: readonly string[];
  readonly clock: Clock;
}

export interface Migrated {
  readonly streams: number;
  readonly events: number;
  readonly tombstones: number;
}

/** The migration cannot be done; the message says why and what to do. */
export class MigrationRefused extends Error {}

/** Types with `$` belong to EventStoreDB; the adapter shows them neither in streams nor to subscriptions. */
const ERASED = '$erased';
const ERASED_IDS = '7b5cdd0b-8f0c-5a43-9d7e-5a3f0f1c2e64';
/** Events of one append. */
const BATCH = 200;
/** Bytes of the data of one append, while it has more than one event. */
const BATCH_BYTES = 512 * 1024;
const TOMBSTONES_AT_ONCE = 16;

/**
 * Copies every stream into an empty EventStoreDB: the events in the order of their positions with their ids, revisions and MACs, and the retentions,
 * truncations and tombstones. In place of an erased event it writes an event without content, which the store shows to no reader. May be repeated
 * after an interruption. Throws {@link MigrationRefused} and EventStoreUnavailable.
 */
export const migrate = async ({ path, target, leftOut, clock }: MigrationOptions): Promise<Migrated> => {
  using source = new StoredStreams(path, clock, leftOut);
  for (const { metadata, stream } of source.events())
    if (typeof metadata.mac !== 'string')
      throw new MigrationRefused(`${stream.name} has an event without a MAC: nothing would tell it from a forged one after the move`);
  const writer = new Writer(target);
  let batch: StoredEvent[] = [];
  const flush = async (): Promise<void> => {
    await writer.write(batch);
    batch = [];
  };
  for (const event of source.events()) {
    const size = batch.reduce((sum, each) => sum + each.size, event.size);
    if (batch.length === BATCH || size > BATCH_BYTES || (batch[0] && batch[0].stream !== event.stream)) await flush();
    batch.push(event);
  }
  await flush();
  const tombstoned: StreamName[] = [];
  for (const stream of source.streams) {
    if (stream.tombstoned) tombstoned.push(stream.name);
    else if (stream.first > stream.revision) await writer.writeErased(stream);
  }
  await inParallel(tombstoned, TOMBSTONES_AT_ONCE, (name) => target.tombstone(name));
  return { streams: writer.streams, events: writer.events, tombstones: tombstoned.length };
};

class Writer {
  streams = 0;
  events = 0;
  readonly #begun = new Set<StoredStream>();

  constructor(private readonly target: EventStore) {}

  /** Consecutive events of one stream. */
  async write(events: readonly StoredEvent[]): Promise<void> {
    const [first] = events;
    if (!first) return;
    const { stream } = first;
    const isNew = !this.#begun.has(stream);
    if (isNew) await this.#begin(stream);
    await this.#append(
      stream.name,
      first.revision,
      events.map(({ type, data, metadata }) => ({ type, data, metadata })),
      events.map(({ id }) => id),
    );
    this.events += events.length;
    if (isNew && stream.first > 0) await this.target.truncateBefore(stream.name, stream.first);
  }

  /** A stream of which no event is left. */
  async writeErased(stream: StoredStream): Promise<void> {
    await this.#begin(stream);
  }

  async #begin(stream: StoredStream): Promise<void> {
    this.#begun.add(stream);
    this.streams += 1;
    if (stream.retention) await this.target.setRetention(stream.name, stream.retention);
    for (let from = 0; from < stream.first; from += BATCH) {
      const revisions = Array.from({ length: Math.min(BATCH, stream.first - from) }, (_, index) => from + index);
      const ids = revisions.map((revision) => v5(`${stream.name}/${revision}`, ERASED_IDS) as EventId);
      await this.#append(
        stream.name,
        from,
        revisions.map(() => ({ type: ERASED, data: {} })),
        ids,
      );
    }
  }

  async #append(name: StreamName, revision: number, events: Parameters<EventStore['append']>[2], ids: readonly EventId[]): Promise<void> {
    try {
      await this.target.append(name, revision === 0 ? NO_STREAM : revision - 1, events, { ids });
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error;
      throw new MigrationRefused(`EventStoreDB has other events in ${name} already: migrate into an empty one, before any service uses it`);
    }
  }
}
