import type { EventStore } from '#engines/event-store';
import type { EndSessions, FurtherErasures, RevokedDevices, SubjectIds } from '#domain/identity';
import type { Clock, RingKey } from '#kernel';
import type { Projections } from '#engines/read-model';
import type { Log } from '#telemetry';

import { PersonHashes } from './domain/person-hashes.js';
import { PersonSessions } from './read-models/person-sessions.js';
import { personSessionsProjection } from './read-models/person-sessions-projection.js';
import { lifetimesOf, type SessionUseCaseSettings } from './session-settings.js';
import type { SessionRepositories } from './session-repositories.js';
import { signingLogStream } from './streams.js';
import { EndSessionsOfDevice, longestOpen } from './use-cases/end-sessions-of-device.js';
import { EndSessionsOfRevokedDevices } from './use-cases/end-sessions-of-revoked-devices.js';
import { EraseSessionsOfPersons } from './use-cases/erase-sessions-of-persons.js';
import { EraseSignings } from './use-cases/erase-signings.js';
import { ForgetDeletedSessions } from './use-cases/forget-deleted-sessions.js';

export interface PersonSessionsDependencies extends SessionRepositories {
  readonly eventStore: EventStore;
  readonly projections: Projections;
  readonly clock: Clock;
  readonly subjectIds: SubjectIds;
  readonly keys: { readonly index: RingKey };
  readonly settings: SessionUseCaseSettings;
}

export type PersonSessionParts = ReturnType<typeof personSessionParts>;

/** The sessions of persons, for what ends them and what erases them. */
export const personSessionParts = (dependencies: PersonSessionsDependencies) => {
  const { projections, keys, subjectIds, settings } = dependencies;
  const hashes = new PersonHashes(keys.index.key, subjectIds);
  const found = new PersonSessions(projections.follow(personSessionsProjection(hashes)), hashes);
  const parts = { ...dependencies, found, lifetimes: lifetimesOf(settings) };
  return { ...parts, endSessionsOfDevice: new EndSessionsOfDevice(parts) };
};

/** The end of the sessions that revoked devices have taken. */
export const sessionsOfRevokedDevices = (
  parts: Pick<PersonSessionParts, 'endSessionsOfDevice' | 'lifetimes' | 'clock'> & { readonly revokedDevices: RevokedDevices; readonly log: Log },
) => {
  const { endSessionsOfDevice: endSessions, lifetimes, clock, revokedDevices: revoked, log } = parts;
  return {
    endSessionsOfRevokedDevices: new EndSessionsOfRevokedDevices({ revoked, endSessions, longestOpen: longestOpen(lifetimes), clock }),
    endSessions: endsSessions(endSessions, log),
  };
};

/** Ends the sessions of a device before its revocation is answered. A failure is logged: {@link EndSessionsOfRevokedDevices} ends them later. */
const endsSessions =
  (endSessionsOfDevice: EndSessionsOfDevice, log: Log): EndSessions =>
  async (identityId, deviceId) => {
    try {
      await endSessionsOfDevice.execute(identityId, deviceId);
    } catch (error) {
      log.warn('sessions of a revoked device are ended later', { component: 'session', deviceId, error });
    }
  };

/** The erasure of a person's data in sessions. */
export const sessionErasures = (parts: PersonSessionParts): FurtherErasures => {
  const { eventStore: store, clock, sessions, results, signingLog, found, lifetimes, endSessionsOfDevice } = parts;
  const signings = new EraseSignings(signingLog, sessions, results);
  const ofPersons = new EraseSessionsOfPersons({ store, sessions, found, lifetimes, clock });
  const forget = new ForgetDeletedSessions(found, parts.retentionCheckpoint, clock);
  return {
    steps: [(identityId) => signings.execute(identityId)],
    last: [(identityId) => endSessionsOfDevice.ofErased(identityId)],
    streams: [signingLogStream],
    sessions: async (persons, signal) => {
      const done = await ofPersons.execute(persons, signal);
      await forget.execute(signal);
      return done;
    },
  };
};
