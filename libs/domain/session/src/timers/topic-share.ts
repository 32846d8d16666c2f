import type { SessionId } from '#kernel';
import type { Assignment, MessageBus } from '#engines/message-bus';

/** This process's share of the topic of session events. */
export class TopicShare {
  readonly #known = Promise.withResolvers<void>();
  #assignment: Assignment = { partitions: 0, owned: [] };

  constructor(private readonly bus: Pick<MessageBus, 'partitionOf'>) {}

  /** The last share that the bus has told; none before the first time. */
  get owned(): readonly number[] {
    return this.#assignment.owned;
  }

  /** Of the topic; 0 while unknown. */
  get partitions(): number {
    return this.#assignment.partitions;
  }

  change(assignment: Assignment): void {
    this.#assignment = assignment;
    this.#known.resolve();
  }

  /** Waits until the bus has told how many partitions there are. */
  async partitionOf(sessionId: SessionId): Promise<number> {
    if (this.partitions === 0) await this.#known.promise;
    return this.bus.partitionOf(sessionId, this.partitions);
  }
}
