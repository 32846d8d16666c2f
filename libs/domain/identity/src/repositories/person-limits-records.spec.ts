import { readFile } from 'node:fs/promises';

import { type ClientId, type DomainEvent, type IdentityId, InvalidRequest } from '#kernel';
import { NO_STREAM } from '#engines/event-store';
import { identityFixture, MARI } from '#testkit/identity/identity-fixture';

import { withBlocked, withoutBlocked } from '../domain/person-limits.js';
import { personLimitsStream } from '../streams.js';

/** Stored events are read for ever: never change this file, add another one for a new version. */
const GOLDEN = JSON.parse(await readFile(new URL('person-limits.v1.json', import.meta.url), 'utf8')) as DomainEvent[];

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
  it('is still understood as it was stored', async () => {
    await identity.store.append(personLimitsStream(identityId), NO_STREAM, GOLDEN);
    expect(await identity.personLimits.of(identityId)).toEqual(GOLDEN[0]!.data);
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
});
