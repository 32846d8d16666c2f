import { UnitOfWork } from '#engines/event-store';
import { describe, expect, it, jest } from '@jest/globals';

import { type ClientId, type EventId, type IdentityId, Secret, type SessionId } from '#kernel';

import { PersonHashes } from '../domain/person-hashes.js';
import { Checkpoint } from '../repositories/checkpoint.js';
import { sessionStream } from '../streams.js';
import { ForgetDeletedSessions } from './forget-deleted-sessions.js';
import {
  MINUTE,
  LONGEST,
  subjectIds,
  hashes,
  fixture,
  projections,
  eraseSessions,
  useSessionsOfPersons,
  start,
  model,
  found,
  rows,
  erasedNow,
  run,
  stored,
  scan,
  meant,
  unavailable,
  countSubscribed,
} from '#testkit/session/sessions-of-persons';

useSessionsOfPersons();

describe('the sessions of an erased person', () => {
  it('are erased when the last one of them is no longer readable', async () => {
    const [confirmed, expired] = [await fixture.begin(), await fixture.begin()];
    await fixture.history.confirm(confirmed);
    await fixture.history.scan(expired);
    const person = erasedNow();
    fixture.clock.advance(LONGEST - 1);
    expect(await run(person)).toEqual(new Set());
    expect([await stored(confirmed), await stored(expired)]).toEqual([true, true]);
    fixture.clock.advance(1);
    expect(await run(person)).toEqual(new Set([person.identityId]));
    expect([await stored(confirmed), await stored(expired)]).toEqual([false, false]);
    await expect(fixture.eventStore.append(sessionStream(confirmed), 2, [{ type: 'X', data: {} }])).rejects.toMatchObject({
      name: 'StreamTombstoned',
    });
    expect(await rows()).toEqual([]);
  });

  it('stay while their status can be read, and are erased after that', async () => {
    const sessionId = await fixture.begin();
    await fixture.history.confirm(sessionId);
    const person = erasedNow();
    // A first completion that comes as late as it may.
    fixture.clock.advance(10 * MINUTE - 1);
    await fixture.sessions.handle(sessionId, { type: 'CompleteSession' });
    fixture.clock.advance(LONGEST - 10 * MINUTE + 1);
    expect(await run(person)).toEqual(new Set());
    expect(await stored(sessionId)).toBe(true);
    const read = jest.spyOn(fixture.eventStore, 'read');
    fixture.clock.advance(4 * MINUTE - 2);
    expect(await run(person)).toEqual(new Set());
    expect(read).not.toHaveBeenCalled();
    fixture.clock.advance(1);
    expect(await run(person)).toEqual(new Set([person.identityId]));
    expect(await stored(sessionId)).toBe(false);
  });

  it('include those that were meant for the person and never scanned, of every client', async () => {
    const another = fixture.randomness.uuid<ClientId>();
    const mine = [await meant(fixture.identityId), await meant(fixture.identityId, another)];
    const other = await meant(fixture.randomness.uuid<IdentityId>());
    const person = erasedNow();
    fixture.clock.advance(LONGEST);
    expect(await run(person)).toEqual(new Set([person.identityId]));
    expect(await Promise.all([...mine, other].map(stored))).toEqual([false, false, true]);
  });

  it('are found by a keyset read: the same reads of the store with no other session and with five hundred', async () => {
    const readsOf = async (): Promise<unknown> => {
      const identityId = fixture.randomness.uuid<IdentityId>();
      await scan(await fixture.begin(), identityId);
      await meant(identityId);
      await model().current();
      const person = erasedNow(identityId);
      fixture.clock.advance(LONGEST);
      const [read, subscriptions] = [jest.spyOn(fixture.eventStore, 'read'), countSubscribed()];
      expect(await run(person)).toEqual(new Set([identityId]));
      const counts = { reads: read.mock.calls.length, ...subscriptions() };
      jest.restoreAllMocks();
      return counts;
    };
    const first = await readsOf();
    const others: SessionId[] = [];
    for (let number = 0; number < 500; number++) {
      others.push(await fixture.begin());
      await scan(others.at(-1)!, fixture.randomness.uuid<IdentityId>());
    }
    // Two sessions; one check whether the rows show everything.
    expect(first).toEqual({ reads: 2, subscriptions: 1, events: 0 });
    expect(await readsOf()).toEqual(first);
    expect(await Promise.all(others.map(stored))).not.toContain(false);
  });

  it('of many are found page by page', async () => {
    const mine: SessionId[] = [];
    for (let number = 0; number < 501; number++) {
      mine.push(await fixture.begin());
      await scan(mine.at(-1)!);
    }
    const person = erasedNow();
    fixture.clock.advance(LONGEST);
    expect(await run(person)).toEqual(new Set([person.identityId]));
    expect(await Promise.all(mine.map(stored))).not.toContain(true);
  });

  it('are erased by the next process when the one before ended, also between a session and its row', async () => {
    const sessionId = await fixture.begin();
    await scan(sessionId);
    const person = erasedNow();
    fixture.clock.advance(LONGEST);
    await expect(eraseSessions.execute([person], AbortSignal.abort(new Error('stopping')))).rejects.toThrow('stopping');
    expect(await stored(sessionId)).toBe(true);
    jest.spyOn(model(), 'remove').mockRejectedValueOnce(new Error('the process ends here'));
    await expect(run(person)).rejects.toThrow('the process ends here');
    expect([await stored(sessionId), await rows()]).toMatchObject([false, [{ session_id: sessionId }]]);
    start(projections);
    expect(await run(person)).toEqual(new Set([person.identityId]));
    expect(await rows()).toEqual([]);
  });

  it('are found in rows that were lost and are built anew', async () => {
    const sessionId = await fixture.begin();
    await scan(sessionId);
    expect(await rows()).toHaveLength(1);
    const person = erasedNow();
    fixture.clock.advance(LONGEST);
    await projections.rebuild('person-sessions');
    expect(await run(person)).toEqual(new Set([person.identityId]));
    expect(await stored(sessionId)).toBe(false);
  });
});

describe('the table of sessions by person', () => {
  it('holds keyed hashes in place of persons, and nothing about the subject of the session', async () => {
    const sessionId = await fixture.begin();
    await fixture.history.confirm(sessionId);
    const pushed = await meant(fixture.identityId);
    const place = expect.any(Number);
    const person = expect.stringMatching(/^[\w-]{22}$/u);
    expect(await rows()).toEqual([
      { session_id: sessionId, person, place },
      { session_id: pushed, person, place },
    ]);
    const anotherKey = new PersonHashes(new Secret(Buffer.alloc(32, 2)), subjectIds);
    expect(anotherKey.ofIdentity(fixture.identityId)).not.toBe(hashes.ofIdentity(fixture.identityId));
    expect((await rows())[0]).toMatchObject({ person: hashes.ofIdentity(fixture.identityId) });
  });

  it('loses the rows of sessions that were deleted when their retention was over, once an hour', async () => {
    const [old, young] = [await fixture.begin(), await fixture.begin()];
    await scan(old);
    const checkpoint = new Checkpoint(new UnitOfWork(fixture.eventStore, fixture.clock), 'session-retention');
    const { place } = (await rows())[0]!;
    await scan(young);
    expect(await rows()).toHaveLength(2);
    const forget = new ForgetDeletedSessions(found(), checkpoint, fixture.clock);
    const { signal } = new AbortController();
    await forget.execute(signal);
    expect(await rows()).toHaveLength(2);
    await checkpoint.move({ position: BigInt(place), id: '11111111-1111-4111-8111-111111111111' as EventId });
    await forget.execute(signal);
    expect(await rows()).toHaveLength(2);
    fixture.clock.advance(60 * MINUTE);
    await forget.execute(signal);
    expect(await rows()).toMatchObject([{ session_id: young }]);
  });

  it('loses them in a later round when the store was unavailable', async () => {
    await scan(await fixture.begin());
    const checkpoint = new Checkpoint(new UnitOfWork(fixture.eventStore, fixture.clock), 'session-retention');
    const { place } = (await rows())[0]!;
    await checkpoint.move({ position: BigInt(place), id: '11111111-1111-4111-8111-111111111111' as EventId });
    const forget = new ForgetDeletedSessions(found(), checkpoint, fixture.clock);
    const { signal } = new AbortController();
    const closed = new ForgetDeletedSessions({ forget: () => Promise.reject(new Error('a fault of ours')) }, checkpoint, fixture.clock);
    await expect(closed.execute(signal)).rejects.toThrow('a fault of ours');
    jest.spyOn(model(), 'rows').mockRejectedValueOnce(await unavailable());
    await forget.execute(signal);
    expect(await rows()).toHaveLength(1);
    await forget.execute(signal);
    expect(await rows()).toEqual([]);
  });
});
