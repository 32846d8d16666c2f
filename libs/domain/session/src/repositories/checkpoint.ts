import { decideOnLast, lastEventOf, type Position, readLast, type StreamName, type UnitOfWork } from '#engines/event-store';

import { type CheckpointMoved, CHECKPOINTS } from '../streams.js';

const CHECKPOINT = lastEventOf<CheckpointMoved>(CHECKPOINTS);

/** The position up to which a task has processed the log, shared by all replicas. The last event of the stream `checkpoint-<name>`. */
export class Checkpoint {
  readonly #stream: StreamName;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    name: string,
  ) {
    this.#stream = CHECKPOINTS.of(name);
  }

  /** 0 before the first event. */
  async load(): Promise<Position> {
    return positionIn((await readLast<CheckpointMoved>(this.unitOfWork.store, this.#stream)).last);
  }

  /** Moves the checkpoint forward, never back, also when another replica moves it at the same time. */
  async move(position: Position): Promise<void> {
    await decideOnLast(this.unitOfWork, { type: CHECKPOINT, stream: this.#stream }, async (last): Promise<readonly CheckpointMoved[]> => {
      if (position <= positionIn(last)) return [];
      if (!last) await CHECKPOINTS.retain(this.unitOfWork.store, this.#stream);
      return [{ type: 'CheckpointMoved', data: { position: String(position) } }];
    });
  }
}

const positionIn = (last: CheckpointMoved | undefined): Position => BigInt(last?.data.position ?? 0);
