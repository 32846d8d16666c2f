import type { EventStore } from '#engines/event-store';
import { type FurtherErasures, type IdentityParts, revokedDevices, SubjectIds } from '#domain/identity';
import type { Clock, RingKey, Sealer, SubjectKeys } from '#kernel';
import type { Projections } from '#engines/read-model';

import { PersonHashes } from './domain/person-hashes.js';
import { PersonSessions } from './read-models/person-sessions.js';
import { personSessionsProjection } from './read-models/person-sessions-projection.js';
import { retentionCheckpointOf } from './repositories/retention-checkpoint.js';
import { SigningLog } from './repositories/signing-log.js';
import { signingLogStream } from './streams.js';
import { SigningResults } from './repositories/signing-results.js';
import { lifetimesOf, type SessionSettings } from './session-settings.js';
import { sessionsOf, type SessionsParts } from './sessions-of-process.js';
import { EndSessionsOfDevice, longestOpen } from './use-cases/end-sessions-of-device.js';
import { EndSessionsOfRevokedDevices } from './use-cases/end-sessions-of-revoked-devices.js';
import { EraseSessionsOfPersons } from './use-cases/erase-sessions-of-persons.js';
import { EraseSignings } from './use-cases/erase-signings.js';
import { ForgetDeletedSessions } from './use-cases/forget-deleted-sessions.js';

export interface SessionErasuresDependencies extends SessionsParts {
  readonly eventStore: EventStore;
  readonly projections: Projections;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly keys: { readonly subject: SubjectKeys; readonly index: RingKey };
  readonly settings: SessionSettings & { readonly environment: string };
}

/** The sessions of persons. */
const personSessions = ({ projections, keys, settings }: Pick<SessionErasuresDependencies, 'projections' | 'keys' | 'settings'>): PersonSessions => {
  const hashes = new PersonHashes(keys.index.key, new SubjectIds(keys.subject, settings.environment));
  return new PersonSessions(projections.follow(personSessionsProjection(hashes)), hashes);
};

const endSessionsOfDevice = (parts: SessionErasuresDependencies): EndSessionsOfDevice =>
  new EndSessionsOfDevice({ found: personSessions(parts), sessions: sessionsOf(parts), lifetimes: lifetimesOf(parts.settings), clock: parts.clock });

/** The end of the sessions that revoked devices have taken. */
export const sessionsOfRevokedDevices = (parts: SessionErasuresDependencies & IdentityParts) => {
  const endSessions = endSessionsOfDevice(parts);
  const revoked = revokedDevices(parts);
  const over = { revoked, endSessions, longestOpen: longestOpen(lifetimesOf(parts.settings)), clock: parts.clock };
  return { endSessionsOfDevice: endSessions, endSessionsOfRevokedDevices: new EndSessionsOfRevokedDevices(over) };
};

/** The erasure of a person's data in sessions. */
export const sessionErasures = (parts: SessionErasuresDependencies): FurtherErasures => {
  const { eventStore: store, clock, sealer, settings } = parts;
  const lifetimes = lifetimesOf(settings);
  const sessions = sessionsOf(parts);
  const found = personSessions(parts);
  const endSessions = endSessionsOfDevice(parts);
  const results = new SigningResults(store, sealer, lifetimes, clock);
  const signings = new EraseSignings(new SigningLog(store, lifetimes, clock), sessions, results);
  const ofPersons = new EraseSessionsOfPersons({ store, sessions, found, lifetimes, clock });
  const forget = new ForgetDeletedSessions(found, retentionCheckpointOf(store, clock), clock);
  return {
    steps: [(identityId) => signings.execute(identityId)],
    last: [(identityId) => endSessions.ofErased(identityId)],
    streams: [signingLogStream],
    sessions: async (persons, signal) => {
      const done = await ofPersons.execute(persons, signal);
      await forget.execute(signal);
      return done;
    },
  };
};
