import { type EndpointId, ServiceUnavailable } from '#kernel';
import type { Assignment, MessageBus } from '#message-bus';

/** The queue of the first partition; also that of all endpoints where there is one partition, and before there were several. */
export const WEBHOOK_QUEUE = 'webhook-attempts';

/** The queue of the attempts at the endpoints of a partition. */
export const queueOfPartition = (partition: number): string => (partition === 0 ? WEBHOOK_QUEUE : `${WEBHOOK_QUEUE}-${partition}`);

/** The endpoints of this process: those whose partition of the topic of deliveries it has. */
export class EndpointShare {
  #assignment: Assignment = { partitions: 0, owned: [] };

  constructor(private readonly bus: Pick<MessageBus, 'partitionOf'>) {}

  /** What the bus says of this process's share of the topic. */
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
