import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it, jest } from '@jest/globals';

import { EventStoreUnavailable, history, type RecordedEvent, SqliteEventStore, streamName, UnitOfWork } from '#engines/event-store';
import { FixedClock, type SessionId } from '#kernel';
import { UnpublishableEvent } from '#engines/message-bus';

import { SESSION_EVENTS } from './domain/session.events.js';
import { SessionPublication } from './integration-events.js';
import { Sessions } from './repositories/sessions.js';
import { created, eventOf, clock, store, sessionId, useSessionStore, append, stored } from '#testkit/session/published-session';

useSessionStore();

/** Of the last release before the envelope. */
const OLD_STORE = join(import.meta.dirname, '../../../../testkit/event-store/sqlite/event-store.v1.sqlite');
const CONFIRMED_BY_OLD = 'faf8a9ca-a9b6-4f10-90ab-1c3440a2b049' as SessionId;

describe('the messages of a session that a release before the envelope has stored', () => {
  it('are made from its stream, in any order, with one read for each event', async () => {
    await append(
      created,
      eventOf('SessionScanned'),
      eventOf('LoginSuperseded'),
      eventOf('SessionConfirmed', { codeExpiresAt: 3_000 }),
      eventOf('SessionCompleted'),
      eventOf('CodeRedeemed'),
    );
    const events = await stored();
    const publication = new SessionPublication(store, clock);
    const read = jest.spyOn(store, 'read');
    const messages = await Promise.all(events.toReversed().map((event) => publication.message(event)));
    expect(read).toHaveBeenCalledTimes(events.length);
    const inOrder = messages.toReversed();
    expect(inOrder.map((message) => message?.data.status)).toEqual(['PENDING', 'SCANNED', 'SCANNED', 'CONFIRMED', 'COMPLETED', 'COMPLETED']);
    expect(await publication.messagesOf(sessionId, 2, 4)).toEqual(inOrder.slice(2, 5));
  });

  it('are those of its stored events: the event store of an old data directory', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'session-'));
    await copyFile(OLD_STORE, join(folder, 'events.db'));
    const old = new SqliteEventStore({ path: join(folder, 'events.db'), clock });
    const publication = new SessionPublication(old, clock);
    const statuses: (string | undefined)[] = [];
    for await (const event of history(old, ['session'])) statuses.push((await publication.message(event))?.data.status);
    expect(statuses.toSorted()).toEqual(
      [
        'PENDING',
        'SCANNED',
        'CONFIRMED',
        'COMPLETED',
        'COMPLETED',
        'PENDING',
        'SCANNED',
        'CONFIRMED',
        'PENDING',
        'SCANNED',
        'CANCELLED',
        'PENDING',
      ].toSorted(),
    );
    const { sessionId: id, clientId } = (await publication.messagesOf(CONFIRMED_BY_OLD, 2, 2))[0]!.data;
    expect([id, clientId]).toEqual([CONFIRMED_BY_OLD, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    // It goes on under the new release.
    await new Sessions(new UnitOfWork(old, new FixedClock(Date.parse('2026-11-22T12:32:00Z')))).handle(CONFIRMED_BY_OLD, { type: 'CompleteSession' });
    const [completed] = await old.read(streamName('session', CONFIRMED_BY_OLD), { from: 3 });
    expect(completed?.metadata).toEqual({ v: SESSION_EVENTS.version, clientId, signatureType: 'AUTHENTICATION', status: 'COMPLETED' });
    await old.close();
    await rm(folder, { recursive: true });
  });

  it('are tried again after a failure', async () => {
    await append(created, eventOf('SessionScanned', { deviceId: 'd', identityId: 'i', sealed: 's' }));
    const [, scanned] = (await stored()) as [RecordedEvent, RecordedEvent];
    const publication = new SessionPublication(store, clock);
    jest.spyOn(store, 'read').mockRejectedValueOnce(new EventStoreUnavailable('away'));
    await expect(publication.message(scanned)).rejects.toBeInstanceOf(EventStoreUnavailable);
    expect(await publication.message(scanned)).toMatchObject({ type: 'session.scanned' });
  });

  it('end where the stream was erased', async () => {
    await append(created, eventOf('SessionScanned'));
    const [, second] = (await stored()) as [RecordedEvent, RecordedEvent];
    await store.tombstone(streamName('session', sessionId));
    const publication = new SessionPublication(store, clock);
    expect(await publication.message(second)).toBeUndefined();
    expect(await publication.messagesOf(sessionId, 0, 1)).toEqual([]);
  });

  it('count as erased only after reads have not shown them for ten seconds', async () => {
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
