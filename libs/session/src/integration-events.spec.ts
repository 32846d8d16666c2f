import { readFile } from 'node:fs/promises';

import { beforeEach, describe, expect, it, jest } from '@jest/globals';

import { EventStoreUnavailable, history, NO_STREAM, type RecordedEvent, SqliteEventStore, streamName } from '#event-store';
import { FixedClock, type Stored, SystemRandomness } from '#kernel';
import { UnpublishableEvent } from '#message-bus';

import type { SessionEvent } from './domain/session.events.js';
import { SessionPublication } from './integration-events.js';

const GOLDEN = new URL('domain/session.events.v1.json', import.meta.url);

const CLIENT = '11111111-1111-4111-8111-111111111111';
const created = {
  type: 'SessionCreated',
  data: { clientId: CLIENT, signatureType: 'SIGNING', pushStatus: 'DISPATCHED', sealed: 'sealed', at: 1_000, expiresAt: 121_000 },
};
const eventOf = (type: string, data = {}) => ({ type, data: { at: 2_000, ...data } });

const clock = new FixedClock();
const randomness = new SystemRandomness();
let store: SqliteEventStore;
let sessionId: string;

beforeEach(() => {
  store = new SqliteEventStore({ path: ':memory:', clock });
  sessionId = randomness.uuid();
});
afterEach(() => store.close());

const append = async (...facts: { type: string; data: object }[]) => {
  const stream = streamName('session', sessionId);
  const [last] = await store.read(stream, { direction: 'backwards', limit: 1 });
  await store.append(
    stream,
    last?.revision ?? NO_STREAM,
    facts.map(({ type, data }) => ({ type, data: { ...data } })),
  );
};

const stored = async (): Promise<RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  for await (const event of history(store, ['session'])) events.push(event);
  return events;
};

describe('the messages of a session', () => {
  it('are made once for each event and are immutable', async () => {
    await append(created);
    const [event] = (await stored()) as [RecordedEvent];
    const publication = new SessionPublication(store, clock);
    const [one, other] = await Promise.all([publication.message(event), publication.message(event)]);
    expect(one).toBe(other);
    expect(() => Object.assign(one!, { type: 'x' })).toThrow(TypeError);
    expect(() => Object.assign(one!.data, { status: 'x' })).toThrow(TypeError);
  });

  it('are tried again after a failure', async () => {
    await append(created, eventOf('SessionScanned', { deviceId: 'd', identityId: 'i', sealed: 's' }));
    const [, scanned] = (await stored()) as [RecordedEvent, RecordedEvent];
    const publication = new SessionPublication(store, clock);
    jest.spyOn(store, 'read').mockRejectedValueOnce(new EventStoreUnavailable('away'));
    await expect(publication.message(scanned)).rejects.toBeInstanceOf(EventStoreUnavailable);
    expect(await publication.message(scanned)).toMatchObject({ type: 'session.scanned' });
  });

  it('name the session, its client, and the status after the event', async () => {
    await append(
      created,
      eventOf('SessionScanned', { deviceId: 'd', identityId: 'i', sealed: 's' }),
      eventOf('SessionCancelled', { reason: 'DECLINED' }),
    );
    const events = await stored();
    const publication = new SessionPublication(store, clock);
    const messages = await Promise.all(events.map((event) => publication.message(event)));
    const common = { sessionId, clientId: CLIENT, signatureType: 'SIGNING' };
    expect(messages).toEqual([
      {
        specversion: '1.0',
        id: events[0]?.id,
        source: '/sessions',
        type: 'session.created',
        subject: sessionId,
        time: '1970-01-01T00:00:01.000Z',
        esrevision: 0,
        data: { ...common, status: 'PENDING', at: 1_000, expiresAt: 121_000, push: 'DISPATCHED' },
      },
      expect.objectContaining({ type: 'session.scanned', esrevision: 1, data: { ...common, status: 'SCANNED', at: 2_000 } }),
      expect.objectContaining({ type: 'session.cancelled', esrevision: 2, data: { ...common, status: 'CANCELLED', at: 2_000, reason: 'DECLINED' } }),
    ]);
    expect(messages.map((message) => message && publication.refuse(message))).toEqual([undefined, undefined, undefined]);
  });

  it('exist for every stored event, with the status after it', async () => {
    const { events, states } = JSON.parse(await readFile(GOLDEN, 'utf8')) as { events: Stored<SessionEvent>[]; states: string[] };
    for (const [index, event] of events.entries()) {
      if (event.type === 'SessionCreated') sessionId = randomness.uuid();
      await append(event);
      const last = (await stored()).at(-1)!;
      expect((await new SessionPublication(store, clock).message(last))?.data.status).toBe(states[index]);
    }
  });

  it('are the same from the cache and from the stream, in any order', async () => {
    await append(
      created,
      eventOf('SessionScanned'),
      eventOf('LoginSuperseded'),
      eventOf('SessionConfirmed', { codeExpiresAt: 3_000 }),
      eventOf('SessionCompleted'),
      eventOf('CodeRedeemed'),
    );
    const events = await stored();
    const cached = new SessionPublication(store, clock);
    const fromCache = [];
    for (const event of events) fromCache.push(await cached.message(event));
    expect(fromCache.map((message) => message?.data.status)).toEqual(['PENDING', 'SCANNED', 'SCANNED', 'CONFIRMED', 'COMPLETED', 'COMPLETED']);
    const reader = new SessionPublication(store, clock);
    const fromStream = await Promise.all(events.toReversed().map((event) => reader.message(event)));
    expect(fromStream.toReversed()).toEqual(fromCache);
    expect(await reader.messagesOf(sessionId, 2, 4)).toEqual(fromCache.slice(2, 5));
  });

  it('end where the stream was erased, unless the cache holds its beginning', async () => {
    await append(created, eventOf('SessionScanned'));
    const [first, second] = (await stored()) as [RecordedEvent, RecordedEvent];
    await store.tombstone(streamName('session', sessionId));
    const cached = new SessionPublication(store, clock);
    expect(await new SessionPublication(store, clock).message(second)).toBeUndefined();
    expect((await cached.message(first))?.data.status).toBe('PENDING');
    expect((await cached.message(second))?.data.status).toBe('SCANNED');
    expect(await cached.messagesOf(sessionId, 0, 1)).toEqual([]);
  });

  it('are not taken for erased before reads have had ten seconds to show them', async () => {
    const clock = new FixedClock(2_000);
    await append(created, eventOf('SessionScanned'));
    const [, scanned] = (await stored()) as [RecordedEvent, RecordedEvent];
    await store.tombstone(streamName('session', sessionId));
    const publication = new SessionPublication(store, clock);
    await expect(publication.message(scanned)).rejects.toThrow(EventStoreUnavailable);
    clock.advance(9_999);
    await expect(publication.message(scanned)).rejects.toThrow(EventStoreUnavailable);
    clock.advance(1);
    expect(await publication.message(scanned)).toBeUndefined();
  });

  it('are made once a read shows the event', async () => {
    const clock = new FixedClock(2_000);
    await append(created, eventOf('SessionScanned'));
    const events = (await stored()) as [RecordedEvent, RecordedEvent];
    const publication = new SessionPublication(store, clock);
    jest.spyOn(store, 'read').mockResolvedValueOnce([]).mockResolvedValueOnce([events[0]]);
    await expect(publication.message(events[1])).rejects.toThrow(EventStoreUnavailable);
    await expect(publication.message(events[1])).rejects.toThrow(EventStoreUnavailable);
    expect(await publication.message(events[1])).toMatchObject({ type: 'session.scanned', data: { status: 'SCANNED' } });
  });

  it('follow the events of a store that was restored from an older copy, not the lost ones', async () => {
    await append(created, eventOf('SessionScanned', { deviceId: 'd', identityId: 'i', sealed: 's' }));
    const [first, lost] = (await stored()) as [RecordedEvent, RecordedEvent];
    const publication = new SessionPublication(store, clock);
    expect(await publication.message(lost)).toMatchObject({ data: { status: 'SCANNED' } });
    const expired: RecordedEvent = { ...lost, ...eventOf('SessionExpired'), id: randomness.uuid() };
    jest.spyOn(store, 'read').mockResolvedValue([first, expired]);
    expect(await publication.message(expired)).toMatchObject({ type: 'session.expired', data: { status: 'EXPIRED' } });
  });

  it('are not guessed for an event of an unknown type, nor for later events', async () => {
    await append(created, eventOf('SessionFrozen'), eventOf('ScanRefused'));
    const [first, frozen, refused] = (await stored()) as [RecordedEvent, RecordedEvent, RecordedEvent];
    const publication = new SessionPublication(store, clock);
    expect((await publication.message(first))?.type).toBe('session.created');
    await expect(publication.message(frozen)).rejects.toThrow(UnpublishableEvent);
    await expect(publication.message(refused)).rejects.toThrow(UnpublishableEvent);
    expect(await publication.messagesOf(sessionId, 0, 2)).toHaveLength(1);
  });
});

describe('a received message', () => {
  const publication = new SessionPublication(new SqliteEventStore({ path: ':memory:', clock }), clock);
  const subject = '22222222-2222-4222-8222-222222222222';
  const data = { sessionId: subject, clientId: CLIENT, signatureType: 'SIGNING', status: 'PENDING', at: 1 };
  const message = { specversion: '1.0', id: '1', source: '/sessions', type: 'session.created', subject, time: '', esrevision: 0, data } as const;

  it('is refused when its type is unknown', () => {
    expect(publication.refuse({ ...message, type: 'session.frozen' })).toBe('unknown type');
  });

  it.each([{ sessionId: CLIENT }, { clientId: 1 }, { signatureType: 'X' }, { status: 'FROZEN' }, { status: undefined }, { at: '1' }])(
    'is refused with %j',
    (wrong) => {
      expect(publication.refuse({ ...message, data: { ...data, ...wrong } })).toBe('data does not have the shape of session.created');
    },
  );
});
