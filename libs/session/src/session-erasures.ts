import type { EventStore, UnitOfWork } from '#event-store';
import { type FurtherErasures, SubjectIds } from '#identity';
import type { Clock, RingKey, Sealer, SubjectKeys } from '#kernel';
import type { Projections } from '#read-model';
import type { Log, Metrics } from '#telemetry';

import { containerTelemetry } from './container-telemetry.js';
import { PersonHashes } from './domain/person-hashes.js';
import { PersonSessions } from './read-models/person-sessions.js';
import { personSessionsProjection } from './read-models/person-sessions-projection.js';
import { retentionCheckpointOf } from './repositories/retention-checkpoint.js';
import { Sessions } from './repositories/sessions.js';
import { SigningLog, signingLogStream } from './repositories/signing-log.js';
import { SigningResults } from './repositories/signing-results.js';
import { lifetimesOf, type SessionSettings } from './session-settings.js';
import type { StatusCache } from './status/status-cache.js';
import { EraseSessionsOfPersons } from './use-cases/erase-sessions-of-persons.js';
import { EraseSignings } from './use-cases/erase-signings.js';
import { ForgetDeletedSessions } from './use-cases/forget-deleted-sessions.js';

export interface SessionErasuresDependencies {
  readonly eventStore: EventStore;
  readonly unitOfWork: UnitOfWork;
  readonly projections: Projections;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly keys: { readonly subject: SubjectKeys; readonly index: RingKey };
  readonly settings: SessionSettings & { readonly environment: string };
  readonly statusCache?: StatusCache | undefined;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** The erasure of a person's data in sessions. */
export const sessionErasures = ({
  eventStore: store,
  unitOfWork,
  projections,
  clock,
  sealer,
  keys,
  settings,
  statusCache,
  log,
  metrics,
}: SessionErasuresDependencies): FurtherErasures => {
  const lifetimes = lifetimesOf(settings);
  const sessions = new Sessions(unitOfWork, { statusCache, containerWaited: containerTelemetry({ log, metrics }) });
  const results = new SigningResults(store, sealer, lifetimes, clock);
  const signings = new EraseSignings(new SigningLog(store, lifetimes, clock), sessions, results);
  const hashes = new PersonHashes(keys.index.key, new SubjectIds(keys.subject, settings.environment));
  const found = new PersonSessions(projections.follow(personSessionsProjection(hashes)), hashes);
  const ofPersons = new EraseSessionsOfPersons({ store, sessions, found, lifetimes, clock });
  const forget = new ForgetDeletedSessions(found, retentionCheckpointOf(store, clock), clock);
  return {
    steps: [(identityId) => signings.execute(identityId)],
    streams: [signingLogStream],
    sessions: async (persons, signal) => {
      const done = await ofPersons.execute(persons, signal);
      await forget.execute(signal);
      return done;
    },
  };
};
