import type { PlatformSettings } from '#service/config';
import type { EventStore, UnitOfWork } from '#engines/event-store';
import { identityRepositories } from '#domain/identity';
import type { Clock, Sealer } from '#kernel';
import { clientRecordsOf } from '#domain/relying-party';
import { sessionsOf, type StatusCache } from '#domain/session';
import type { Log, Metrics } from '#telemetry';

import type { Platform, PlatformKeys } from './platform.js';

interface Parts {
  readonly settings: PlatformSettings;
  readonly eventStore: EventStore;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly randomness: Platform['randomness'];
  readonly keys: PlatformKeys;
  readonly sealer: Sealer;
  readonly statusCache: StatusCache | undefined;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Everything that loads and remembers, made once for the process. The use cases of all its applications share it. */
export const repositoriesOf = (parts: Parts): Pick<Platform, 'identityRepositories' | 'clientRecords' | 'sessions'> => ({
  identityRepositories: identityRepositories(parts),
  clientRecords: clientRecordsOf(parts.unitOfWork, parts.settings.esdbUrl !== undefined),
  sessions: sessionsOf(parts),
});
