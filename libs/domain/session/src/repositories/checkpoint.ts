import { decideAndAppend, type EventStore, NO_STREAM, type Position, readLast, type StreamName } from '#engines/event-store';
import type { Clock } from '#kernel';

import { type CheckpointMoved, CHECKPOINTS } from '../streams.js';

/** The position up to which a task has processed the log, shared by all replicas. The last event of the stream `checkpoint-<name>`. */
export class Checkpoint {
  readonly #stream: StreamName;

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    name: string,
  ) {
    this.#stream = CHECKPOINTS.of(name);
  }

  /** 0 before the first event. */
  async load(): Promise<Position> {
    return (await this.#read()).position;
  }

  /** Moves the checkpoint forward, never back, also when another replica moves it at the same time. */
  async move(position: Position): Promise<void> {
    const { store, clock } = this;
    await decideAndAppend({ store, clock }, this.#stream, {
      load: () => this.#read(),
      decide: async (reached) => {
        if (position <= reached.position) return [];
        if (reached.revision === NO_STREAM) await CHECKPOINTS.retain(store, this.#stream);
        return [{ type: 'CheckpointMoved', data: { position: String(position) } } satisfies CheckpointMoved];
      },
    });
  }

  async #read() {
    const { last, revision } = await readLast<CheckpointMoved>(this.store, this.#stream);
    return { position: BigInt(last?.data.position ?? 0), revision };
  }
}
