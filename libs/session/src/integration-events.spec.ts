import { readFile } from 'node:fs/promises';

import { beforeEach, describe, expect, it, jest } from '@jest/globals';

import { EventStoreUnavailable, history, NO_STREAM, type RecordedEvent, SqliteEventStore, streamName } from '#event-store';
import { type EventId, FixedClock, type Stored, SystemRandomness } from '#kernel';
import { UnpublishableEvent } from '#message-bus';

import type { SessionEvent } from './domain/session.events.js';
import { SessionPublication } from './integration-events.js';

const GOLDEN = new URL('domain/session.events.v1.json', import.meta.url);

const CLIENT = '11111111-1111-4111-8111-111111111111';
const created = {
  type: 'SessionCreated',
  data: { clientId: CLIENT, signatureType: 'SIGNING', pushStatus: 'DISPATCHED', sealed: 'sealed', at: 1_000, expiresAt: 121_000 },
};
const happened = (type: string, data = {}) => ({ type, data: { at: 2_000, ...data } });

const randomness = new SystemRandomness();
let store: SqliteEventStore;
let sessionId: string;

beforeEach(() => {
  store = new SqliteEventStore({ path: ':memory:', clock: new FixedClock() });
  sessionId = randomness.uuid();
});
afterEach(() => store.close());

const append = async (...facts: { type: string; data: object }[]) => {
  const stream = streamName('session', sessionId);
  const [last] = await store.read(stream, { direction: 'backwards', limit: 1 });
  await store.append(stream, last?.revision ?? NO_STREAM, facts.map((fact) => ({ ...fact, data: { ...fact.data }, id: randomness.uuid<EventId>() })));
};

const stored = async (): Promise<RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  for await (const event of history(store, ['session'])) events.push(event);
  return events;
};

describe('the messages of a session', () => {
  it('are made once for each event, whoever asks, and cannot be changed', async () => {
    await append(created);
    const [event] = (await stored()) as [RecordedEvent];
    const publication = new SessionPublication(store);
    const [one, other] = await Promise.all([publication.message(event), publication.message(event)]);
    expect(one).toBe(other);
    expect(() => Object.assign(one!, { type: 'x' })).toThrow(TypeError);
    expect(() => Object.assign(one!.data, { status: 'x' })).toThrow(TypeError);
  });

  it('are tried again after a failure', async () => {
    await append(created, happened('SessionScanned', { deviceId: 'd', identityId: 'i', sealed: 's' }));
    const [, scanned] = (await stored()) as [RecordedEvent, RecordedEvent];
    const publication = new SessionPublication(store);
    jest.spyOn(store, 'read').mockRejectedValueOnce(new EventStoreUnavailable('away'));
    await expect(publication.message(scanned)).rejects.toBeInstanceOf(EventStoreUnavailable);
    expect(await publication.message(scanned)).toMatchObject({ type: 'session.scanned' });
  });

  it('name the session, its client, and the status after the event', async () => {
    await append(created, happened('SessionScanned', { deviceId: 'd', identityId: 'i', sealed: 's' }), happened('SessionCancelled', { reason: 'DECLINED' }));
    const events = await stored();
    const publication = new SessionPublication(store);
    const messages = await Promise.all(events.map((event) => publication.message(event)));
    const common = { sessionId, clientId: CLIENT, signatureType: 'SIGNING' };
    expect(messages).toEqual([
      {
        specversion: '1.0', id: events[0]?.id, source: '/sessions', type: 'session.created', subject: sessionId, time: '1970-01-01T00:00:01.000Z', esrevision: 0,
        data: { ...common, status: 'PENDING', at: 1_000, expiresAt: 121_000, push: 'DISPATCHED' },
      },
      expect.objectContaining({ type: 'session.scanned', esrevision: 1, data: { ...common, status: 'SCANNED', at: 2_000 } }),
      expect.objectContaining({ type: 'session.cancelled', esrevision: 2, data: { ...common, status: 'CANCELLED', at: 2_000, reason: 'DECLINED' } }),
    ]);
    expect(messages.map((message) => message && publication.refuse(message))).toEqual([undefined, undefined, undefined]);
  });

  it('tell of every event that was ever stored, with the status that it left behind', async () => {
    const { events, states } = JSON.parse(await readFile(GOLDEN, 'utf8')) as { events: Stored<SessionEvent>[]; states: string[] };
    for (const [index, event] of events.entries()) {
      if (event.type === 'SessionCreated') sessionId = randomness.uuid();
      await append(event);
      const last = (await stored()).at(-1)!;
      expect((await new SessionPublication(store).message(last))?.data.status).toBe(states[index]);
    }
  });

  it('are the same from a publication that witnessed the session, from one that reads it, and in any order', async () => {
    await append(created, happened('SessionScanned'), happened('LoginSuperseded'), happened('SessionConfirmed', { codeExpiresAt: 3_000 }), happened('SessionCompleted'), happened('CodeRedeemed'));
    const events = await stored();
    const witness = new SessionPublication(store);
    const witnessed = [];
    for (const event of events) witnessed.push(await witness.message(event));
    expect(witnessed.map((message) => message?.data.status)).toEqual(['PENDING', 'SCANNED', 'SCANNED', 'CONFIRMED', 'COMPLETED', 'COMPLETED']);
    const reader = new SessionPublication(store);
    const backwards = await Promise.all(events.toReversed().map((event) => reader.message(event)));
    expect(backwards.toReversed()).toEqual(witnessed);
    expect(await reader.messagesOf(sessionId, 2, 4)).toEqual(witnessed.slice(2, 5));
  });

  it('end where the stream was erased, unless it was witnessed from its begin', async () => {
    await append(created, happened('SessionScanned'));
    const [first, second] = (await stored()) as [RecordedEvent, RecordedEvent];
    await store.tombstone(streamName('session', sessionId));
    const witness = new SessionPublication(store);
    expect(await new SessionPublication(store).message(second)).toBeUndefined();
    expect((await witness.message(first))?.data.status).toBe('PENDING');
    expect((await witness.message(second))?.data.status).toBe('SCANNED');
    expect(await witness.messagesOf(sessionId, 0, 1)).toEqual([]);
  });

  it('are not guessed: neither for an event of a future type, nor for what comes after it', async () => {
    await append(created, happened('SessionFrozen'), happened('ScanRefused'));
    const [first, frozen, refused] = (await stored()) as [RecordedEvent, RecordedEvent, RecordedEvent];
    const publication = new SessionPublication(store);
    expect((await publication.message(first))?.type).toBe('session.created');
    await expect(publication.message(frozen)).rejects.toThrow(UnpublishableEvent);
    await expect(publication.message(refused)).rejects.toThrow(UnpublishableEvent);
    expect(await publication.messagesOf(sessionId, 0, 2)).toHaveLength(1);
  });
});

describe('a message that claims to be of a session', () => {
  const publication = new SessionPublication(new SqliteEventStore({ path: ':memory:', clock: new FixedClock() }));
  const subject = '22222222-2222-4222-8222-222222222222';
  const data = { sessionId: subject, clientId: CLIENT, signatureType: 'SIGNING', status: 'PENDING', at: 1 };
  const message = { specversion: '1.0', id: '1', source: '/sessions', type: 'session.created', subject, time: '', esrevision: 0, data } as const;

  it('is refused when its type is unknown', () => {
    expect(publication.refuse({ ...message, type: 'session.frozen' })).toBe('unknown type');
  });

  it.each([{ sessionId: CLIENT }, { clientId: 1 }, { signatureType: 'X' }, { status: 'FROZEN' }, { status: undefined }, { at: '1' }])('is refused with %j', (wrong) => {
    expect(publication.refuse({ ...message, data: { ...data, ...wrong } })).toBe('data is not what session.created promises');
  });
});
