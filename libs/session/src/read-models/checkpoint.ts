import { EventIds, type EventStore, NO_STREAM, type Position, type StreamName, streamName, WrongExpectedRevision } from '#event-store';
import type { Randomness } from '#kernel';

/** Up to where somebody has worked through the log; shared by all who do the same work. The last event of the stream `checkpoint-<name>`. */
export class Checkpoint {
  readonly #stream: StreamName;

  constructor(
    private readonly store: EventStore,
    private readonly randomness: Randomness,
    name: string,
  ) {
    this.#stream = streamName('checkpoint', name);
  }

  /** 0: before the first event. */
  async load(): Promise<Position> {
    return (await this.#last()).position;
  }

  /** Moves it forward, never back. When somebody else moves it at the same time, theirs will do. */
  async move(position: Position): Promise<void> {
    const last = await this.#last();
    if (position <= last.position) return;
    if (last.revision === NO_STREAM) await this.store.setRetention(this.#stream, { maxCount: 1 });
    const event = { id: new EventIds(this.randomness).next(this.#stream), type: 'CheckpointMoved', data: { position: String(position) } };
    await this.store.append(this.#stream, last.revision, [event]).catch((error: unknown) => {
      if (!(error instanceof WrongExpectedRevision)) throw error;
    });
  }

  async #last() {
    const [event] = await this.store.read(this.#stream, { direction: 'backwards', limit: 1 });
    return { position: event ? BigInt(event.data['position'] as string) : 0n, revision: event?.revision ?? NO_STREAM } as const;
  }
}
