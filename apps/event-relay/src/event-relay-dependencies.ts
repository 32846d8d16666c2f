import type { EventStore, MarkWriter, UnitOfWork } from '#engines/event-store';
import type { Clock, Randomness } from '#kernel';
import type { MessagePublisher, Publication } from '#engines/message-bus';
import type { AuditForwarding, Checkpoints } from '#service/platform';
import type { Log, Metrics } from '#telemetry';

export interface EventRelayDependencies {
  readonly eventStore: EventStore;
  readonly unitOfWork: UnitOfWork;
  /** The holder of the lease writes the marks of the store. Undefined: none does. */
  readonly markWriter?: Pick<MarkWriter, 'write'>;
  /** Publishes checkpoints of the history. Default: none are made. */
  readonly checkpoints?: Checkpoints | undefined;
  /** Sends the audit trail to other systems. Default: it is sent nowhere. */
  readonly auditForwarding?: AuditForwarding | undefined;
  readonly publication: Publication;
  readonly publisher: MessagePublisher;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly metrics: Metrics;
}
