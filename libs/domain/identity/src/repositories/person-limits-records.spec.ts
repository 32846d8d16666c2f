import { readFile } from 'node:fs/promises';

import { type ClientId, type DomainEvent, type IdentityId, InvalidRequest } from '#kernel';
import { NO_STREAM } from '#engines/event-store';
import { identityFixture, MARI } from '#testkit/identity/identity-fixture';

import { DeviceNotFound } from '../domain/device.errors.js';
import { withBlocked, withoutBlocked } from '../domain/person-limits.js';
import { personLimitsStream } from '../streams.js';

/** Stored events are read for ever: never change this file, add another one for a new version. */
const golden = async (file: string) => JSON.parse(await readFile(new URL(file, import.meta.url), 'utf8')) as DomainEvent[];
const GOLDEN = await golden('person-limits.v1.json');
const WITH_LOGOUTS = await golden('person-limits-with-logouts.v1.json');

let identity: ReturnType<typeof identityFixture>;
let identityId: IdentityId;
beforeEach(async () => {
  identity = identityFixture();
  identityId = await identity.registerIdentity.execute(MARI);
});
afterEach(() => identity.close());

const client = (index: number) => `c${index}` as ClientId;
const block = (index: number) =>
  identity.personLimits.change(identityId, (limits) => withBlocked(limits, { clientId: client(index), at: identity.clock.now() }));

describe('what a person has said about clients', () => {
  it.each([
    ['before log-outs', GOLDEN],
    ['with log-outs', WITH_LOGOUTS],
  ])('is still understood as it was stored: %s', async (_, events) => {
    await identity.store.append(personLimitsStream(identityId), NO_STREAM, events);
    expect(await identity.personLimits.of(identityId)).toEqual(events[0]!.data);
  });

  it('costs the read of one event, however often it changes', async () => {
    for (let index = 0; index < 50; index += 1) {
      expect(await block(index)).toBe(true);
      if (index % 2 === 1) await identity.personLimits.change(identityId, (limits) => withoutBlocked(limits, client(index)));
    }
    expect((await identity.personLimits.of(identityId)).blocked).toHaveLength(25);
    expect(await identity.store.read(personLimitsStream(identityId))).toHaveLength(1);
  });

  it('changes once at a time, and not at all when it is the same', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => block(index)));
    expect((await identity.personLimits.of(identityId)).blocked).toHaveLength(20);
    expect(await block(3)).toBe(false);
    await expect(
      identity.personLimits.change(identityId, () => {
        throw new InvalidRequest('refused');
      }),
    ).rejects.toThrow(InvalidRequest);
  });

  it('is erased with the person, and stays erased', async () => {
    await block(1);
    await identity.eraseIdentity.execute(identityId);
    expect(await identity.store.read(personLimitsStream(identityId))).toEqual([]);
    expect(await block(2)).toBe(false);
    const { streams } = await identity.proveErasure.execute(identityId);
    expect(streams).toContainEqual({ stream: personLimitsStream(identityId), readable: false });
  });

  describe('a log-out', () => {
    const logOut = (index: number, first = async () => {}) => identity.personLimits.logOut(identityId, client(index), first);
    const kept = async () => (await identity.personLimits.of(identityId)).loggedOut?.map(({ clientId, at }) => [clientId, at]);

    it('is no wish where the work is refused first', async () => {
      await expect(logOut(1, () => Promise.reject(new DeviceNotFound('revoked')))).rejects.toBeInstanceOf(DeviceNotFound);
      expect(await kept()).toBeUndefined();
    });

    it('is one wish within a minute, at each client', async () => {
      const at = identity.clock.now();
      expect(await Promise.all([logOut(1), logOut(1), logOut(2)])).toEqual([at, at, at]);
      identity.clock.advance(59_999);
      expect([await logOut(1), await logOut(3)]).toEqual([at, at + 59_999]);
      identity.clock.advance(1);
      expect([await logOut(1), await logOut(3)]).toEqual([at + 60_000, at + 59_999]);
      expect(await kept()).toEqual([
        ['c3', at + 59_999],
        ['c1', at + 60_000],
      ]);
    });

    it('stays beside what the person blocks, and the other way round', async () => {
      await block(1);
      const at = await logOut(2);
      await block(3);
      expect([(await identity.personLimits.of(identityId)).blocked.length, await kept()]).toEqual([2, [['c2', at]]]);
      expect(await identity.store.read(personLimitsStream(identityId))).toHaveLength(1);
    });

    it('of an erased person is none', async () => {
      await identity.eraseIdentity.execute(identityId);
      expect(await logOut(1)).toBeUndefined();
    });
  });
});
