import { randomUUID } from 'node:crypto';

import { afterEach, beforeEach, expect, it } from '@jest/globals';

import { type ClientId, type SessionId } from '#kernel';
import { FixedClock } from '../../kernel/fixed-clock.js';

import type { CachedStatus, StatusCache } from '#domain/session';
import type { StatusWatch } from '#domain/session';

const never = new AbortController().signal;
const LONG = 20_000;

export interface StatusCacheSubject {
  /** Two objects on one cache, as two replicas have them. They are closed by the contract. */
  open(clock: FixedClock): Promise<readonly [StatusCache, StatusCache]>;
}

/** The promises of every implementation. */
export const statusCacheContract = (subject: StatusCacheSubject): void => {
  let clock: FixedClock;
  let one: StatusCache;
  let other: StatusCache;
  let sessionId: SessionId;

  beforeEach(async () => {
    clock = new FixedClock(Date.now());
    [one, other] = await subject.open(clock);
    sessionId = randomUUID() as SessionId;
  });
  afterEach(() => Promise.all([one.close(), other.close()]));

  const status = (revision: number, more: Partial<CachedStatus> = {}): CachedStatus => ({
    revision,
    clientId: '00000000-0000-4000-8000-000000000001' as ClientId,
    status: 'PENDING',
    endsAt: clock.now() + 120_000,
    readableUntil: clock.now() + 720_000,
    ...more,
  });
  const next = (watch: StatusWatch, milliseconds = LONG): Promise<boolean> => watch.next(milliseconds, never);

  it('answers a stored status in every replica, and nothing for a session without one', async () => {
    expect(await one.get(sessionId)).toBeUndefined();
    const claimed = status(1, { login: { eventId: randomUUID(), superseded: false } });
    await one.put(sessionId, claimed);
    expect(await other.get(sessionId)).toEqual(claimed);
    expect(await other.get(randomUUID() as SessionId)).toBeUndefined();
  });

  it('never goes backwards, in any order of puts by any process', async () => {
    const order = [3, 0, 4, 1, 10, 2, 9];
    await Promise.all(order.map((revision, index) => (index % 2 ? one : other).put(sessionId, status(revision))));
    expect(await one.get(sessionId)).toMatchObject({ revision: 10 });
    await other.put(sessionId, status(9, { status: 'SCANNED' }));
    await other.put(sessionId, status(10, { status: 'SCANNED' }));
    expect(await one.get(sessionId)).toMatchObject({ revision: 10, status: 'PENDING' });
  });

  it('no reader sees a revision lower than one it has seen, while two replicas put', async () => {
    const seen: number[] = [];
    let done = false;
    const reading = (async () => {
      while (!done) seen.push((await one.get(sessionId))?.revision ?? -1);
    })();
    const puts = Array.from({ length: 100 }, (_, revision) => revision).toSorted((a, b) => ((a * 37) % 100) - ((b * 37) % 100));
    await Promise.all(puts.map((revision, index) => (index % 2 ? one : other).put(sessionId, status(revision))));
    done = true;
    await reading;
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(await other.get(sessionId)).toMatchObject({ revision: 99 });
  });

  it('wakes the watches of a session in every replica, when the new status can be read, and no watch of another session', async () => {
    const watches = await Promise.all([one.watch(sessionId), one.watch(sessionId), other.watch(sessionId)]);
    const stranger = await other.watch(randomUUID());
    expect([...watches, stranger].map(({ isLive }) => isLive)).toEqual([true, true, true, true]);
    const waiting = Promise.all(watches.map((watch) => next(watch)));
    await one.put(sessionId, status(1));
    expect(await waiting).toEqual([true, true, true]);
    expect(await other.get(sessionId)).toMatchObject({ revision: 1 });
    expect(await next(stranger, 50)).toBe(false);
    for (const watch of [...watches, stranger]) watch.close();
  });

  it('wakes no waiting call by a status that it has already', async () => {
    await one.put(sessionId, status(5));
    const watch = await other.watch(sessionId);
    await one.put(sessionId, status(5));
    await one.put(sessionId, status(4));
    expect(await next(watch, 100)).toBe(false);
    watch.close();
  });

  it('loses no wake-up between two waits, nor for a watch that outlives another one of the session', async () => {
    const [first, second] = [await other.watch(sessionId), await other.watch(sessionId)];
    first.close();
    await one.put(sessionId, status(0));
    expect(await next(second)).toBe(true);
    await one.put(sessionId, status(1));
    expect(await next(second)).toBe(true);
    second.close();
    const third = await other.watch(sessionId);
    await one.put(sessionId, status(2));
    expect(await next(third)).toBe(true);
    third.close();
  });
};
