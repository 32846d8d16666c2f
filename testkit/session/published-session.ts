import { beforeEach } from '@jest/globals';

import { type EventMetadata, history, NO_STREAM, type RecordedEvent, SqliteEventStore, streamName } from '#engines/event-store';
import { type ClientId, SystemRandomness } from '#kernel';
import { FixedClock } from '../kernel/fixed-clock.js';

import { type SessionTerms } from '#domain/session';

import { enveloped } from './enveloped.js';

export const CLIENT = '11111111-1111-4111-8111-111111111111';
export const created = {
  type: 'SessionCreated',
  data: { clientId: CLIENT, signatureType: 'SIGNING', pushStatus: 'DISPATCHED', sealed: 'sealed', at: 1_000, expiresAt: 121_000 },
};
export const eventOf = (type: string, data = {}) => ({ type, data: { at: 2_000, ...data } });

export const clock = new FixedClock();
export const randomness = new SystemRandomness();
export const terms: SessionTerms = {
  clientId: CLIENT as ClientId,
  signatureType: 'AUTHENTICATION',
  pushStatus: 'NOT_REQUESTED',
  sealed: 'sealed',
  expiresAt: clock.now() + 120_000,
};

export let store: SqliteEventStore;
export let sessionId: string;

/** From now on events belong to another session. */
export const beginSession = (): void => {
  sessionId = randomness.uuid();
};

/** Each test of the file gets an empty store and a session id. */
export const useSessionStore = (): void => {
  beforeEach(() => {
    store = new SqliteEventStore({ path: ':memory:', clock });
    beginSession();
  });
  afterEach(() => store.close());
};

/** Appends events. One without metadata gets that of a session which they have led to. */
export const append = async (...facts: { type: string; data: object; metadata?: EventMetadata }[]) => {
  const stream = streamName('session', sessionId);
  const before = await store.read(stream);
  const events = facts.map(({ data, ...fact }) => ({ ...fact, data: { ...data } }));
  await store.append(stream, before.at(-1)?.revision ?? NO_STREAM, enveloped(events, before));
};

export const stored = async (): Promise<RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  for await (const event of history(store, ['session'])) events.push(event);
  return events;
};
