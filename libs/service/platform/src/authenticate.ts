import { AuthenticatedEventStore, type EventStore, GuardedEventStore } from '#engines/event-store';
import type { KeyRing } from '#kernel';
import type { Log, Metrics } from '#telemetry';

import { reportRefusedStreams } from './report-refused-streams.js';
import { eventMacs, GUARDED_STREAMS, shortenedStreams } from './streams.js';

export interface AuthenticationParts {
  /** `ENVIRONMENT`: events of another one are refused. */
  readonly environment: string;
  readonly eventKeys: KeyRing;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** The store with MACs for each event: docs/adr/0021-event-macs.md, docs/adr/0111-macs-over-named-metadata.md. */
export const authenticate = (store: EventStore, { environment, eventKeys, ...alarm }: AuthenticationParts): EventStore => {
  const refused = reportRefusedStreams(alarm);
  const authenticated = new AuthenticatedEventStore(store, {
    macs: eventMacs(eventKeys, environment),
    shortened: shortenedStreams,
    refused,
  });
  return new GuardedEventStore(authenticated, { guarded: GUARDED_STREAMS, refused });
};
