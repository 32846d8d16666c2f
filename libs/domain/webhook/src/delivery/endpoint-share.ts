import { type EndpointId, ServiceUnavailable } from '#kernel';
import type { Assignment, MessageBus } from '#engines/message-bus';

/** The queue of the first partition. With one partition, it is the queue of all endpoints. */
export const WEBHOOK_QUEUE = 'webhook-attempts';

/** The name of the queue for the attempts at a partition's endpoints. */
export const queueOfPartition = (partition: number): string => (partition === 0 ? WEBHOOK_QUEUE : `${WEBHOOK_QUEUE}-${partition}`);

/** The endpoints that this process owns. It owns an endpoint when the bus has assigned the endpoint's partition of the topic of deliveries to it. */
export class EndpointShare {
  #assignment: Assignment = { partitions: 0, owned: [] };

  constructor(private readonly bus: Pick<MessageBus, 'partitionOf'>) {}

  /** The bus has assigned another share of the topic to this process. */
  change(assignment: Assignment): void {
    this.#assignment = assignment;
  }

  /** The queues of this process's partitions. */
  get queues(): readonly string[] {
    return this.#assignment.owned.map(queueOfPartition);
  }

  owns(endpointId: EndpointId): boolean {
    return this.#assignment.partitions > 0 && this.#assignment.owned.includes(this.#partitionOf(endpointId));
  }

  /** Throws ServiceUnavailable before the bus has said how many partitions there are. */
  queueOf(endpointId: EndpointId): string {
    if (this.#assignment.partitions === 0) throw new ServiceUnavailable('the partitions of the deliveries are not known yet');
    return queueOfPartition(this.#partitionOf(endpointId));
  }

  #partitionOf(endpointId: EndpointId): number {
    return this.bus.partitionOf(endpointId, this.#assignment.partitions);
  }
}
