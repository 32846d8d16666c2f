import { SubjectIds } from '#identity';
import { type DeviceId, type IdentityId, Secret, type SessionId } from '#kernel';

import { LIFETIMES } from '../domain/lifetimes.js';
import { Checkpoint } from '../repositories/checkpoint.js';
import { sessionStream } from '../repositories/sessions.js';
import { useCaseFixture } from '../testing/use-case-fixture.js';
import { EraseSessionsOfPersons } from './erase-sessions-of-persons.js';

const MINUTE = 60_000;
/** The last login that began before an erasure is unreadable after this time. */
const LONGEST = 300_000 + 60_000 + 600_000;

let fixture: ReturnType<typeof useCaseFixture>;
let subjectIds: SubjectIds;
let eraseSessions: EraseSessionsOfPersons;
beforeEach(() => {
  fixture = useCaseFixture();
  const { eventStore: store, sessions, clock } = fixture;
  subjectIds = new SubjectIds(new Secret(Buffer.alloc(32, 1)), 'test');
  const retentionCheckpoint = new Checkpoint(store, clock, 'session-retention');
  eraseSessions = new EraseSessionsOfPersons({ store, sessions, retentionCheckpoint, subjectIds, lifetimes: LIFETIMES, clock });
});
afterEach(() => fixture.eventStore.close());

const erasedNow = (identityId: IdentityId = fixture.identityId) => ({ identityId, erasedAt: fixture.clock.now() });
const run = (...persons: ReturnType<typeof erasedNow>[]) => eraseSessions.execute(persons, new AbortController().signal);
const stored = async (sessionId: SessionId) => (await fixture.history.events(sessionId)).length > 0;

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
    const walks = countWalks();
    fixture.clock.advance(4 * MINUTE - 2);
    expect(await run(person)).toEqual(new Set());
    expect(walks()).toBe(0);
    fixture.clock.advance(1);
    expect(await run(person)).toEqual(new Set([person.identityId]));
    expect(await stored(sessionId)).toBe(false);
  });

  it('include those that were meant for the person and never scanned', async () => {
    const [meant, other] = [fixture.randomness.uuid<SessionId>(), fixture.randomness.uuid<SessionId>()];
    const created = (subjectId: ReturnType<SubjectIds['of']>) =>
      ({
        type: 'SessionCreated',
        data: {
          clientId: fixture.clientId,
          signatureType: 'AUTHENTICATION',
          pushStatus: 'DISPATCHED',
          subjectId,
          sealed: '',
          at: fixture.clock.now(),
          expiresAt: fixture.clock.now() + 300_000,
        },
      }) as const;
    await fixture.history.append(meant, created(subjectIds.of(fixture.clientId, fixture.identityId)));
    await fixture.history.append(other, created(subjectIds.of(fixture.clientId, fixture.randomness.uuid<IdentityId>())));
    const person = erasedNow();
    fixture.clock.advance(LONGEST);
    await run(person);
    expect([await stored(meant), await stored(other)]).toEqual([false, true]);
  });

  it('are found in one walk for all persons, and no other session is touched', async () => {
    const others = fixture.randomness.uuid<IdentityId>();
    const [mine, theirs, unscanned, foreign] = [await fixture.begin(), await fixture.begin(), await fixture.begin(), await fixture.begin()];
    const scan = (sessionId: SessionId, identityId: IdentityId) =>
      fixture.history.append(sessionId, {
        type: 'SessionScanned',
        data: { deviceId: 'd' as DeviceId, identityId, sealed: '', at: fixture.clock.now() },
      });
    await scan(mine, fixture.identityId);
    await scan(theirs, others);
    await scan(foreign, fixture.randomness.uuid<IdentityId>());
    const persons = [erasedNow(), erasedNow(others)];
    fixture.clock.advance(LONGEST);
    const walks = countWalks();
    expect(await run(...persons)).toEqual(new Set([fixture.identityId, others]));
    expect(walks()).toBe(1);
    expect([await stored(mine), await stored(theirs), await stored(unscanned), await stored(foreign)]).toEqual([false, false, true, true]);
  });

  it('are looked for after a restart that came before the end', async () => {
    const person = erasedNow();
    fixture.clock.advance(LONGEST);
    await expect(eraseSessions.execute([person], AbortSignal.abort(new Error('stopping')))).rejects.toThrow('stopping');
    expect(await run(person)).toEqual(new Set([person.identityId]));
  });
});

/** How often the stored sessions are read from now on. */
const countWalks = (): (() => number) => {
  let walks = 0;
  const { subscribe } = fixture.eventStore;
  fixture.eventStore.subscribe = ((options: Parameters<typeof subscribe>[0]) => {
    walks++;
    return subscribe.call(fixture.eventStore, options);
  }) as typeof subscribe;
  return () => walks;
};
