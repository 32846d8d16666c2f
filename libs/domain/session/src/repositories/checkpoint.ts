import {
  decideOnLast,
  keptPlace,
  type KeptPlace,
  lastEventOf,
  type Place,
  type Position,
  readLast,
  storedPlace,
  type StreamName,
  type UnitOfWork,
} from '#engines/event-store';

import { type CheckpointMoved, CHECKPOINTS } from '../streams.js';

const CHECKPOINT = lastEventOf<CheckpointMoved>(CHECKPOINTS);

/**
 * The place up to which a task has processed the log, shared by all replicas. The last event of the stream `checkpoint-<name>`. A process that lives through a restoration of the
 * store may still store a place that the copy does not have: the marks beside it then tell where to go on.
 */
export class Checkpoint {
  readonly #stream: StreamName;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    name: string,
  ) {
    this.#stream = CHECKPOINTS.of(name);
  }

  /** 0 before the first event. */
  async load(): Promise<KeptPlace | 0n> {
    const { last } = await readLast<CheckpointMoved>(this.unitOfWork.store, this.#stream);
    return last ? keptPlace(last.data) : 0n;
  }

  /** Of {@link load}. */
  async position(): Promise<Position> {
    const place = await this.load();
    return place === 0n ? place : place.position;
  }

  /** Moves the checkpoint forward, never back, also when another replica moves it at the same time. */
  async move({ position, id }: Place): Promise<void> {
    const { store } = this.unitOfWork;
    await decideOnLast(this.unitOfWork, { type: CHECKPOINT, stream: this.#stream }, async (last): Promise<readonly CheckpointMoved[]> => {
      if (last && position <= keptPlace(last.data).position) return [];
      if (!last) await CHECKPOINTS.retain(store, this.#stream);
      return [{ type: 'CheckpointMoved', data: storedPlace({ position, id, marks: store.marksUpTo(position) }) }];
    });
  }
}
