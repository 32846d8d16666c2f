import { readFile } from 'node:fs/promises';

import { describe, expect, it, jest } from '@jest/globals';

import { type RecordedEvent, SqliteEventStore, streamName, UnitOfWork } from '#engines/event-store';
import { type IdentityId, inTrace, type SessionId, type Stored, type SubjectId } from '#kernel';
import { UnpublishableEvent } from '#engines/message-bus';

import { SESSION_EVENTS, type SessionEvent } from './domain/session.events.js';
import { SessionPublication } from './integration-events.js';
import { Sessions } from './repositories/sessions.js';
import { DEVICE } from '#testkit/session/session-history';
import {
  CLIENT,
  created,
  eventOf,
  clock,
  randomness,
  terms,
  store,
  sessionId,
  useSessionStore,
  append,
  stored,
  beginSession,
} from '#testkit/session/published-session';

useSessionStore();

const GOLDEN = new URL('domain/session.events.v2.json', import.meta.url);

describe('the messages of a session', () => {
  it('are immutable', async () => {
    await append(created);
    const [event] = (await stored()) as [RecordedEvent];
    const message = await new SessionPublication(store).message(event);
    expect(() => Object.assign(message!, { type: 'x' })).toThrow(TypeError);
    expect(() => Object.assign(message!.data, { status: 'x' })).toThrow(TypeError);
  });

  it('are made once for all groups of consumers in the process', async () => {
    await new Sessions(new UnitOfWork(store, clock)).create(sessionId as SessionId, terms);
    const [event] = (await stored()) as [RecordedEvent];
    const [one, other] = [new SessionPublication(store), new SessionPublication(store)];
    const message = await one.message(event);
    expect(message).toMatchObject({ type: 'session.created', subject: sessionId });
    expect(await other.message(event)).toBe(message);
    expect(await one.message({ ...event, revision: 7 })).toMatchObject({ esrevision: 7 });
  });

  it('are made from the event alone: the store is not read', async () => {
    const sessions = new Sessions(new UnitOfWork(store, clock));
    const id = sessionId as SessionId;
    await sessions.create(id, terms);
    await sessions.handle(id, { type: 'CancelSession', by: { clientId: terms.clientId }, reason: 'WITHDRAWN' });
    const events = await stored();
    await store.tombstone(streamName('session', sessionId));
    const read = jest.spyOn(store, 'read');
    const publication = new SessionPublication(store);
    const messages = await Promise.all(events.toReversed().map((event) => publication.message(event)));
    expect(messages.map((message) => [message?.type, message?.data.status, message?.data.clientId])).toEqual([
      ['session.cancelled', 'CANCELLED', CLIENT],
      ['session.created', 'PENDING', CLIENT],
    ]);
    expect(read).not.toHaveBeenCalled();
  });

  it('carry the trace context of the request that caused the event', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const sessions = new Sessions(new UnitOfWork(store, clock));
    const id = sessionId as SessionId;
    await inTrace(traceparent, () => sessions.create(id, terms));
    await sessions.handle(id, { type: 'CancelSession', by: { clientId: terms.clientId }, reason: 'WITHDRAWN' });
    const publication = new SessionPublication(store);
    const [first, second] = await Promise.all((await stored()).map((event) => publication.message(event)));
    expect(first).toMatchObject({ type: 'session.created', traceparent });
    expect(second).not.toHaveProperty('traceparent');
  });

  it('tell the status after each event that a session stores', async () => {
    const sessions = new Sessions(new UnitOfWork(store, clock));
    const id = sessionId as SessionId;
    const person = { identityId: randomness.uuid<IdentityId>(), subjectIds: [randomness.uuid<SubjectId>()] };
    await sessions.create(id, { ...terms, handoffExpiresAt: clock.now() + 60_000 });
    await sessions.handle(id, { type: 'ClaimHandoff' });
    await sessions.handle(id, { type: 'ScanSession', deviceId: DEVICE, ...person, sealed: '' });
    await sessions.handle(id, { type: 'ConfirmSession', deviceId: DEVICE, signature: '', codeTtl: 60_000, buildTtl: 60_000 });
    await sessions.handle(id, { type: 'CompleteSession' });
    const events = await stored();
    const publication = new SessionPublication(store);
    const told = await Promise.all(events.map((event) => publication.message(event)));
    expect(told.map((message) => message?.data.status)).toEqual(['PENDING', 'PENDING', 'SCANNED', 'CONFIRMED', 'COMPLETED']);
    expect(events.map(({ metadata }) => metadata?.v)).toEqual(events.map(() => 2));
  });

  it('of a login through OpenID Connect are left to releases that know it', async () => {
    const sessions = new Sessions(new UnitOfWork(store, clock));
    await sessions.createClaimed(sessionId as SessionId, { ...terms, issuer: true, handoffExpiresAt: clock.now() + 60_000 }, undefined);
    const events = await stored();
    expect(events.map(({ type, metadata }) => [type, metadata?.v])).toEqual([
      ['SessionCreated', 3],
      ['HandoffClaimed', 3],
    ]);
  });

  it('name the session, its client, and the status after the event', async () => {
    await append(
      created,
      eventOf('SessionScanned', { deviceId: 'd', identityId: 'i', sealed: 's' }),
      eventOf('SessionCancelled', { reason: 'DECLINED' }),
    );
    const events = await stored();
    const publication = new SessionPublication(store);
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
      if (event.type === 'SessionCreated') beginSession();
      await append(event);
      const last = (await stored()).at(-1)!;
      expect((await new SessionPublication(store).message(last))?.data.status).toBe(states[index]);
    }
  });

  it('are not guessed for an event of a newer version', async () => {
    await append({ ...created, metadata: { v: SESSION_EVENTS.version + 1, clientId: CLIENT, signatureType: 'SIGNING', status: 'PENDING' } });
    const [event] = (await stored()) as [RecordedEvent];
    await expect(new SessionPublication(store).message(event)).rejects.toThrow(UnpublishableEvent);
  });

  it('are not made for an event that names no client', async () => {
    await append({ ...created, metadata: { v: SESSION_EVENTS.version } });
    const [event] = (await stored()) as [RecordedEvent];
    await expect(new SessionPublication(store).message(event)).rejects.toThrow(UnpublishableEvent);
  });

  it('follow an event of unknown type, since each tells the status itself', async () => {
    const metadata = { v: SESSION_EVENTS.version, clientId: CLIENT, signatureType: 'SIGNING' };
    await append({ ...created, metadata: { ...metadata, status: 'PENDING' } }, eventOf('SessionFrozen'), {
      ...eventOf('SessionExpired'),
      metadata: { ...metadata, status: 'EXPIRED' },
    });
    const [, frozen, expired] = (await stored()) as [RecordedEvent, RecordedEvent, RecordedEvent];
    const publication = new SessionPublication(store);
    await expect(publication.message(frozen)).rejects.toThrow(UnpublishableEvent);
    expect(await publication.message(expired)).toMatchObject({ type: 'session.expired', esrevision: 2, data: { status: 'EXPIRED' } });
    expect(await publication.messagesOf(sessionId, 0, 2)).toHaveLength(2);
  });
});

describe('a received message', () => {
  const publication = new SessionPublication(new SqliteEventStore({ path: ':memory:', clock }));
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
