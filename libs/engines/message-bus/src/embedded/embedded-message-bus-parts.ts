import type { EventStore } from '#engines/event-store';
import type { Clock, Randomness } from '#kernel';
import type { Log, Metrics } from '#telemetry';

import type { Channel } from '../channel.js';
import type { Publication } from '../publication.js';

export interface EmbeddedMessageBusParts {
  /** Consumers begin when it resolves. Default: at once. */
  readonly begin?: Promise<void>;
  readonly eventStore: EventStore;
  readonly publications: readonly Publication[];
  /** Default: none. */
  readonly channels?: readonly Channel[];
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Waits so many milliseconds before offsets are committed, or until the signal. Default: the system's timer. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}
