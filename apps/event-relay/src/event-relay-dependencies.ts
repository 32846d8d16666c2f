import type { EventStore, UnitOfWork } from '#engines/event-store';
import type { Clock, Randomness } from '#kernel';
import type { MessagePublisher, Publication } from '#engines/message-bus';
import type { Log, Metrics } from '#telemetry';

export interface EventRelayDependencies {
  readonly eventStore: EventStore;
  readonly unitOfWork: UnitOfWork;
  readonly publication: Publication;
  readonly publisher: MessagePublisher;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly metrics: Metrics;
}
