import { afterEach, beforeEach, jest } from '@jest/globals';

import type { SubscriptionItem } from '#engines/event-store';
import { SubjectIds } from '#domain/identity';
import { type ClientId, type DeviceId, type IdentityId, Secret, type SessionId } from '#kernel';
import { OneSubjectKey } from '../kernel/one-subject-key.js';
import type { Projections } from '#engines/read-model';
import { projectionsInMemory } from '#testkit/read-model/projections-in-memory';

import { LIFETIMES } from '#domain/session';
import { PersonHashes } from '#domain/session';
import { PersonSessions } from '#domain/session';
import { personSessionsProjection } from '#domain/session';
import { useCaseFixture } from './use-case-fixture.js';
import { EraseSessionsOfPersons } from '#domain/session';

export const MINUTE = 60_000;
/** The last login that began before an erasure is unreadable after this time. */
export const LONGEST = 300_000 + 60_000 + 600_000;

export const key = new Secret(Buffer.alloc(32, 1));
export const subjectIds = new SubjectIds(new OneSubjectKey({ id: 'one', key }), 'test');
export const hashes = new PersonHashes(key, subjectIds);
export const projection = personSessionsProjection(hashes);

export let fixture: ReturnType<typeof useCaseFixture>;
export let opened: Projections[];
export let projections: Projections;
export let eraseSessions: EraseSessionsOfPersons;

/** Each test of the file gets a store, read models over it, and the use case. */
export const useSessionsOfPersons = (): void => {
  beforeEach(() => {
    fixture = useCaseFixture();
    opened = [];
    start();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await Promise.all(opened.map((each) => each.close()));
    await fixture.eventStore.close();
  });
};

/** Starts a process with the given read models. Default: read models of its own. */
export const start = (on = projectionsInMemory(fixture.eventStore)): void => {
  projections = on;
  opened.push(on);
  const { eventStore: store, sessions, clock } = fixture;
  eraseSessions = new EraseSessionsOfPersons({ store, sessions, found: found(), lifetimes: LIFETIMES, clock });
};
export const model = () => projections.follow(projection);
export const found = () => new PersonSessions(model(), hashes);
export const rows = async () => {
  await model().current();
  return model().read((database) => database.selectFrom('person_sessions_v1').selectAll().execute());
};

export const erasedNow = (identityId: IdentityId = fixture.identityId) => ({ identityId, erasedAt: fixture.clock.now() });
export const run = (...persons: ReturnType<typeof erasedNow>[]) => eraseSessions.execute(persons, new AbortController().signal);
export const stored = async (sessionId: SessionId) => (await fixture.history.events(sessionId)).length > 0;
export const scan = (sessionId: SessionId, identityId: IdentityId = fixture.identityId) =>
  fixture.history.append(sessionId, { type: 'SessionScanned', data: { deviceId: 'd' as DeviceId, identityId, sealed: '', at: fixture.clock.now() } });
/** A session that the client meant for the person. */
export const meant = async (identityId: IdentityId, clientId: ClientId = fixture.clientId): Promise<SessionId> => {
  const sessionId = fixture.randomness.uuid<SessionId>();
  const at = fixture.clock.now();
  const subjectId = subjectIds.of(clientId, identityId);
  const terms = { clientId, signatureType: 'AUTHENTICATION', pushStatus: 'DISPATCHED', subjectId, sealed: '' } as const;
  await fixture.history.append(sessionId, { type: 'SessionCreated', data: { ...terms, at, expiresAt: at + 300_000 } });
  return sessionId;
};

/** The error of a closed database. */
export const unavailable = async (): Promise<unknown> => {
  const lost = projectionsInMemory(fixture.eventStore);
  const closed = lost.follow(projection);
  await lost.close();
  return closed.remove(async () => undefined).catch((error: unknown) => error);
};

/** How many subscriptions begin from now on, and how many events they hand over. */
export const countSubscribed = (): (() => { readonly subscriptions: number; readonly events: number }) => {
  let [subscriptions, events] = [0, 0];
  const { subscribe } = fixture.eventStore;
  jest.spyOn(fixture.eventStore, 'subscribe').mockImplementation(((options: Parameters<typeof subscribe>[0]) => {
    subscriptions++;
    return counted(subscribe.call(fixture.eventStore, options), () => events++);
  }) as typeof subscribe);
  return () => ({ subscriptions, events });
};

export async function* counted(items: AsyncIterable<SubscriptionItem>, count: () => void): AsyncGenerator<SubscriptionItem, void, void> {
  for await (const item of items) {
    if (item !== 'caught-up') count();
    yield item;
  }
}
