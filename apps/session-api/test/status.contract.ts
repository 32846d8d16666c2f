import { setImmediate as nextTurn } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { NO_STREAM, streamName } from '#engines/event-store';
import type { FixedClock } from '#testkit/kernel/fixed-clock';
import { eventually } from '#testkit/kernel/eventually';
import { sessionFixture } from '#testkit/platform/session-fixture';
import { testPlatform } from '#testkit/platform/test-platform';
import type { StatusCache } from '#domain/session';
import { LOGIN } from '#testkit/session/login-request';

import { sessionApiFixture } from './session-api.fixture.js';

type Replica = Awaited<ReturnType<typeof sessionApiFixture>>;

const RANKS: readonly unknown[] = ['PENDING', 'SCANNED', 'CONFIRMED', 'CANCELLED'];
const POLLS = 60;

/** The answers of two replicas of session-api from a cache of statuses that they share, and their costs. `open` opens the cache of one replica. */
export const statusContract = (open: (clock: FixedClock) => Promise<StatusCache>): void => {
  let one: Replica;
  let other: Replica;
  /** The session streams that were read. */
  let reads: string[];
  /** The number of waiting polls that have set up their watch so far. */
  let watches: number;

  beforeEach(async () => {
    const first = await testPlatform();
    const { eventStore, clock } = first;
    const replica = async (): Promise<Replica> => {
      const statusCache = await open(clock);
      const platform = await testPlatform({}, { eventStore, clock, statusCache: counting(statusCache) });
      return sessionApiFixture({ ...world, platform });
    };
    const world = await sessionFixture({ eventStore, clock });
    [one, other] = [await replica(), await replica()];
    reads = [];
    watches = 0;
    const read = eventStore.read.bind(eventStore);
    eventStore.read = (stream, options) => {
      if (stream.startsWith('session-')) reads.push(stream);
      return read(stream, options) as never;
    };
  });
  afterEach(async () => {
    for (const { platform } of [one, other]) {
      platform.stop();
      await platform.statusCache?.close();
    }
    await Promise.all([one.app.close(), other.app.close()]);
    await Promise.all([one.platform.messageBus.close(), other.platform.messageBus.close()]);
    await one.platform.close();
  });

  const counted = new WeakSet<StatusCache>();
  const counting = (cache: StatusCache): StatusCache => {
    if (counted.has(cache)) return cache;
    counted.add(cache);
    const watch = cache.watch.bind(cache);
    cache.watch = async (sessionId) => {
      const watched = await watch(sessionId);
      watches += 1;
      return watched;
    };
    return cache;
  };
  const untilWatched = (count: number): Promise<void> => eventually(() => watches === count, { what: `${count} polls wait` });
  const statusOf = async (sessionId: string, at = other): Promise<unknown> => {
    const { status, body } = await at.call('GET', `/session/${sessionId}/status`);
    return status === 200 ? body.status : body.errorCode;
  };
  /** A poll with `since=PENDING`, so that a change before its first read ends it too. */
  const waiting = (sessionId: string, seconds = 30, at = other) =>
    at.call('GET', `/session/${sessionId}/status?since=PENDING`, undefined, { prefer: `wait=${seconds}` });
  /** Appends as a process that ends before it has written the status. */
  const created = async (at: number): Promise<string> => {
    const { clock, randomness, eventStore } = one.platform;
    const { clientId } = one.client;
    const sessionId = randomness.uuid();
    const data = {
      clientId,
      signatureType: 'AUTHENTICATION',
      redirectUri: LOGIN.redirect_uri,
      codeChallenge: LOGIN.code_challenge,
      pushStatus: 'NOT_REQUESTED',
      sealed: one.seal(sessionId, {}),
      at,
      expiresAt: clock.now() + 120_000,
    };
    const metadata = { v: 1, clientId, signatureType: 'AUTHENTICATION', status: 'PENDING' };
    await eventStore.append(streamName('session', sessionId), NO_STREAM, [{ type: 'SessionCreated', data, metadata }]);
    return sessionId;
  };

  describe('a poll', () => {
    it('of a status that a replica has written reads no stream, on any replica', async () => {
      const sessionId = await one.create();
      reads.length = 0;
      for (let poll = 0; poll < 20; poll++) {
        const { body } = await (poll % 2 ? one : other).call('GET', `/session/${sessionId}/status`);
        expect(body).toEqual({ status: 'PENDING', expiresAt: Math.floor((one.platform.clock.now() + 120_000) / 1000) });
      }
      expect(reads).toEqual([]);
    });

    it('of a status that is not there reads the stream once, and the next one nothing', async () => {
      const { clock } = one.platform;
      const sessionId = await created(clock.now());
      reads.length = 0;
      expect(await statusOf(sessionId)).toBe('PENDING');
      await eventually(async () => (await one.platform.statusCache!.get(sessionId as never)) !== undefined);
      expect(reads).toHaveLength(1);
      expect(await statusOf(sessionId)).toBe('PENDING');
      expect(await statusOf(sessionId, one)).toBe('PENDING');
      expect(reads).toHaveLength(1);
    });

    it('shows a change on every replica as soon as the change is answered', async () => {
      for (let round = 0; round < 20; round++) {
        const sessionId = await one.create();
        expect(await statusOf(sessionId)).toBe('PENDING');
        expect((await one.call('DELETE', `/session/${sessionId}`)).status).toBe(204);
        expect(await statusOf(sessionId)).toBe('CANCELLED');
      }
    });

    it('never goes backwards while another replica changes the session', async () => {
      const sessions = await Promise.all(Array.from({ length: 10 }, () => one.create()));
      const polled = sessions.map(async (sessionId) => {
        const seen: unknown[] = [];
        for (; seen.at(-1) !== 'CANCELLED'; await nextTurn()) seen.push(await statusOf(sessionId));
        return seen.map((status) => RANKS.indexOf(status));
      });
      for (const sessionId of sessions) {
        await one.scan(sessionId);
        await one.call('DELETE', `/session/${sessionId}`);
      }
      for (const seen of await Promise.all(polled)) expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    });

    it('after the deadline answers EXPIRED and records it, as without a cache', async () => {
      const sessionId = await one.create();
      expect(await statusOf(sessionId)).toBe('PENDING');
      one.platform.clock.advance(119_999);
      expect(await statusOf(sessionId)).toBe('PENDING');
      expect(await one.events(sessionId)).toEqual(['SessionCreated']);
      one.platform.clock.advance(1);
      expect(await Promise.all([statusOf(sessionId), statusOf(sessionId, one)])).toEqual(['EXPIRED', 'EXPIRED']);
      expect(await one.events(sessionId)).toEqual(['SessionCreated', 'SessionExpired']);
      one.platform.clock.advance(600_000);
      expect(await statusOf(sessionId)).toBe('session_not_found');
    });

    it("of another client's session is answered as if there were no session", async () => {
      const sessionId = await one.create();
      const { status, body } = await other.call('GET', `/session/${sessionId}/status`, undefined, {}, other.other);
      expect([status, body.errorCode]).toEqual([404, 'session_not_found']);
    });
  });

  describe('long polls', () => {
    it(`${POLLS} of them that wait for 10 s in vain read no stream`, async () => {
      const sessions = await Promise.all(Array.from({ length: POLLS }, () => one.create()));
      await Promise.all(sessions.map((sessionId) => statusOf(sessionId)));
      reads.length = 0;
      const polls = Promise.all(sessions.map((sessionId) => waiting(sessionId, 10)));
      await untilWatched(POLLS);
      for (let second = 0; second < 10; second++) {
        await nextTurn();
        one.platform.clock.advance(1_000);
      }
      expect((await polls).map(({ body }) => body.status)).toEqual(sessions.map(() => 'PENDING'));
      expect(reads).toEqual([]);
    });

    it('are answered when another replica changes the session, and read no stream', async () => {
      const [alone, sessionId] = [await one.create(), await one.create()];
      reads.length = 0;
      await one.call('DELETE', `/session/${alone}`);
      const { length: readsOfChange } = reads;
      const polls = [waiting(sessionId), waiting(sessionId), waiting(sessionId, 30, one)];
      await untilWatched(3);
      reads.length = 0;
      await one.call('DELETE', `/session/${sessionId}`);
      for (const { body } of await Promise.all(polls)) expect(body.status).toBe('CANCELLED');
      expect(reads).toHaveLength(readsOfChange);
    });

    it('end at the deadline', async () => {
      const sessionId = await one.create();
      const poll = waiting(sessionId);
      await untilWatched(1);
      one.platform.clock.advance(120_000);
      expect((await poll).body.status).toBe('EXPIRED');
    });
  });
};
