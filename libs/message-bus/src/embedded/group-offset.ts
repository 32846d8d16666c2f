import { EventIds, type EventStore, type ExpectedRevision, NO_STREAM, type Position, type StreamName, streamName, WrongExpectedRevision } from '#event-store';
import type { Randomness } from '#kernel';

/**
 * Up to where a consumer group has dealt with the log: the last event of a stream of its own in the same store, which
 * therefore survives what the log survives.
 */
export class GroupOffset {
  private constructor(
    private readonly store: EventStore,
    private readonly randomness: Randomness,
    private readonly stream: StreamName,
    private expected: ExpectedRevision,
    /** 0: before the first event. */
    public position: Position,
  ) {}

  static async load(store: EventStore, randomness: Randomness, { topic, group }: { topic: string; group: string }): Promise<GroupOffset> {
    const stream = streamName('busoffset', `${topic}.${group}`);
    const [last] = await store.read(stream, { direction: 'backwards', limit: 1 });
    if (!last) await store.setRetention(stream, { maxCount: 1 });
    return new GroupOffset(store, randomness, stream, last?.revision ?? NO_STREAM, positionOf(last?.data));
  }

  /** Moves the offset forward, never back: another member of the group may be ahead. */
  async commit(position: Position): Promise<void> {
    if (position <= this.position) return;
    const ids = new EventIds(this.randomness);
    try {
      const event = { id: ids.next(this.stream), type: 'OffsetCommitted', data: { position: String(position) } };
      const { revision } = await this.store.append(this.stream, this.expected, [event]);
      this.expected = revision;
      this.position = position;
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error;
      const [last] = await this.store.read(this.stream, { direction: 'backwards', limit: 1 });
      this.expected = error.actual;
      this.position = positionOf(last?.data);
      await this.commit(position);
    }
  }
}

const positionOf = (data: { readonly position?: unknown } | undefined): Position => (typeof data?.position === 'string' ? BigInt(data.position) : 0n);
