import {
  decideAndAppend,
  type ExpectedRevision,
  NO_STREAM,
  type Position,
  readLast,
  type StoreAndClock,
  type StreamName,
} from '#engines/event-store';

import { BUS_OFFSETS, type OffsetCommitted } from './streams.js';

/** The offset of a group, and the revision of the event that holds it in the stream of the group. */
interface Offset {
  /** 0: before the first event. */
  readonly position: Position;
  readonly revision: ExpectedRevision;
}

/**
 * The position up to which a consumer group has processed the log. The last event of a stream in the same store holds it, so a copy of the store
 * contains both.
 */
export class GroupOffset {
  private constructor(
    private readonly storeAndClock: StoreAndClock,
    private readonly stream: StreamName,
    private offset: Offset,
  ) {}

  static async load(storeAndClock: StoreAndClock, { topic, group }: { topic: string; group: string }): Promise<GroupOffset> {
    const { store } = storeAndClock;
    const stream = BUS_OFFSETS.of(`${topic}.${group}`);
    const offset = await readOffset(storeAndClock, stream);
    if (offset.revision === NO_STREAM) await BUS_OFFSETS.retain(store, stream);
    return new GroupOffset(storeAndClock, stream, offset);
  }

  /** 0: before the first event. */
  get position(): Position {
    return this.offset.position;
  }

  /** Moves the offset forward, never back: another member of the group may be ahead. */
  async commit(position: Position): Promise<void> {
    const { loaded, appended, revision } = await decideAndAppend<Offset, OffsetCommitted>(this.storeAndClock, this.stream, {
      load: (conflict) => (conflict ? readOffset(this.storeAndClock, this.stream) : this.offset),
      decide: (offset) => (position <= offset.position ? [] : [{ type: 'OffsetCommitted', data: { position: String(position) } }]),
    });
    this.offset = appended.length === 0 ? loaded : { position, revision };
  }
}

const readOffset = async ({ store }: StoreAndClock, stream: StreamName): Promise<Offset> => {
  const { last, revision } = await readLast<OffsetCommitted>(store, stream);
  return { position: BigInt(last?.data.position ?? 0), revision };
};
