import type { EventStore, UnitOfWork } from '#engines/event-store';
import type { Clock, Sealer } from '#kernel';
import type { Log, Metrics } from '#telemetry';

import { containerTelemetry } from './container-telemetry.js';
import { Checkpoint } from './repositories/checkpoint.js';
import { Sessions } from './repositories/sessions.js';
import { SigningLog } from './repositories/signing-log.js';
import { SigningResults } from './repositories/signing-results.js';
import { lifetimesOf, type SessionUseCaseSettings } from './session-settings.js';
import type { StatusCache } from './status/status-cache.js';

/** The parts of the process that the repositories need. */
export interface SessionRepositoryParts {
  readonly eventStore: EventStore;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly settings: SessionUseCaseSettings;
  /** Without one, statuses are read from the streams. */
  readonly statusCache?: StatusCache | undefined;
  readonly log: Log;
  readonly metrics: Metrics;
}

export type SessionRepositories = ReturnType<typeof sessionRepositories>;

export const sessionRepositories = (parts: SessionRepositoryParts) => {
  const { eventStore, unitOfWork, clock, sealer, settings, statusCache } = parts;
  const lifetimes = lifetimesOf(settings);
  return {
    sessions: new Sessions(unitOfWork, { statusCache, containerWaited: containerTelemetry(parts) }),
    results: new SigningResults(eventStore, sealer, lifetimes, clock),
    signingLog: new SigningLog(eventStore, lifetimes, clock),
    /** How far the deletion of old sessions has come: no session before it is stored. */
    retentionCheckpoint: new Checkpoint(unitOfWork, 'session-retention'),
  };
};
