import {
  decideAndAppend,
  type ExpectedRevision,
  keptPlace,
  type KeptPlace,
  NO_STREAM,
  type Place,
  type Position,
  readLast,
  type StoreAndClock,
  storedPlace,
  type StreamName,
} from '#engines/event-store';

import { BUS_OFFSETS, type OffsetCommitted } from './streams.js';

/** The offset of a group, and the revision of the event that holds it in the stream of the group. */
interface Offset {
  /** Undefined: before the first event. */
  readonly place: KeptPlace | undefined;
  readonly revision: ExpectedRevision;
}

/**
 * The place up to which a consumer group has processed the log. The last event of a stream in the same store holds it, so a copy of the store contains both. A process
 * that lives through a restoration may still commit a place that the copy does not have: the marks beside it then tell where to go on.
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

  /** The place after which to go on; 0 for the start of the store. */
  get after(): KeptPlace | 0n {
    return this.offset.place ?? 0n;
  }

  /** 0: before the first event. */
  get position(): Position {
    return positionOf(this.offset);
  }

  /** The store was restored from an older copy: the place that was committed last may be one that it has lost, so the next commit may lie before it. */
  restored(): void {
    this.offset = { place: undefined, revision: this.offset.revision };
  }

  /** Moves the offset forward, never back: another member of the group may be ahead. */
  async commit({ position, id }: Place): Promise<void> {
    const marks = this.storeAndClock.store.marksUpTo(position);
    const { loaded, appended, revision } = await decideAndAppend<Offset, OffsetCommitted>(this.storeAndClock, this.stream, {
      load: (conflict) => (conflict ? readOffset(this.storeAndClock, this.stream) : this.offset),
      decide: (offset) => (position <= positionOf(offset) ? [] : [{ type: 'OffsetCommitted', data: storedPlace({ position, id, marks }) }]),
    });
    this.offset = appended.length === 0 ? loaded : { place: { position, id, marks }, revision };
  }
}

const positionOf = ({ place }: Offset): Position => place?.position ?? 0n;

const readOffset = async ({ store }: StoreAndClock, stream: StreamName): Promise<Offset> => {
  const { last, revision } = await readLast<OffsetCommitted>(store, stream);
  return { place: last && keptPlace(last.data), revision };
};
