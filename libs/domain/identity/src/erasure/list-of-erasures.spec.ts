import { jest } from '@jest/globals';

import { type IdentityId, ServiceUnavailable } from '#kernel';

import type { ListFault } from '../erasure-list/erasure-list.js';
import { MARI } from '#testkit/identity/identity-fixture';
import { identity, identityId, given, useErasures, typesIn } from '#testkit/identity/erasure/erasures';

useErasures();

describe('the list of erasures', () => {
  const person = () => ({ ...MARI, personalCode: String(identity.randomness.bytes(5).readUIntBE(0, 5)).padStart(11, '4').slice(-11) });
  const erased = async (): Promise<IdentityId> => {
    const id = await identity.registerIdentity.execute(person());
    await identity.eraseIdentity.execute(id);
    identity.clock.advance(1);
    return id;
  };

  it('names a person before the erasure is complete', async () => {
    const at = identity.clock.now();
    given.failures = 1;
    await expect(identity.eraseIdentity.execute(identityId)).rejects.toThrow('the process ends here');
    expect(await identity.erasureList.all()).toEqual(new Map([[identityId, at]]));
  });

  it('keeps an erasure open while it is unavailable', async () => {
    const { add } = identity.erasureList;
    identity.erasureList.add = () => Promise.reject(new ServiceUnavailable('the list is unavailable'));
    await expect(identity.eraseIdentity.execute(identityId)).rejects.toBeInstanceOf(ServiceUnavailable);
    expect(await identity.readPersonalData.execute(identityId)).toBeUndefined();
    expect((await typesIn('identity', identityId)).at(-1)).toBe('IdentityErased');
    identity.erasureList.add = add;
    expect(await identity.replica().erasureReconciler().reconcile()).toBe(1);
    expect((await identity.erasureList.all()).has(identityId)).toBe(true);
  });

  it('erases persons again, once, when a restored store shows them', async () => {
    await identity.enrol(identityId);
    await identity.erasureList.add(identityId, 1_000);
    await identity.erasureList.add(identity.randomness.uuid<IdentityId>(), 2_000); // registered after the copy was made
    const reconciler = identity.erasureReconciler();
    expect(await reconciler.reapply()).toBe(1);
    expect(await typesIn('identitydata', identityId)).toEqual([]);
    expect((await typesIn('identity', identityId)).slice(-2)).toEqual(['IdentityErased', 'ErasureCompleted']);
    expect(await reconciler.reapply()).toBe(0);
  });

  it('erases nobody again whom the audit trail does not name before', async () => {
    await identity.erasureList.add(identityId, 1_000);
    const reconciler = identity.erasureReconciler();
    const asked: IdentityId[] = [];
    identity.again.by = (person) => (asked.push(person), Promise.reject(new ServiceUnavailable('the trail is unavailable')));
    await expect(reconciler.reapply()).rejects.toBeInstanceOf(ServiceUnavailable);
    expect((await typesIn('identity', identityId)).at(-1)).toBe('IdentityRegistered');
    identity.again.by = (person, erase) => (asked.push(person), erase());
    expect(await reconciler.reapply()).toBe(1);
    expect(await reconciler.reapply()).toBe(0);
    expect(asked).toEqual([identityId, identityId]);
  });

  it('is completed with the erasures that the store tells', async () => {
    await identity.eraseIdentity.execute(identityId);
    identity.erasureList.entries.clear();
    await identity.erasureReconciler().reapply();
    expect([...identity.erasureList.entries.keys()]).toEqual([identityId]);
  });

  it('is compared with the read model at first: the streams of twenty persons are read, and of those that it lacks', async () => {
    for (let count = 0; count < 45; count++) await erased();
    await identity.erasureList.add(identityId, 1_000); // older than all
    const read = jest.spyOn(identity.store, 'read');
    const first = identity.erasureReconciler();
    expect(await first.reapply()).toBe(1);
    expect(await typesIn('identitydata', identityId)).toEqual([]);
    read.mockClear();
    expect(await identity.erasureReconciler().reapply()).toBe(0);
    expect(read).toHaveBeenCalledTimes(20);
  });

  it('is compared with the whole read model again when the store was restored meanwhile', async () => {
    const first = await erased();
    const reconciler = identity.erasureReconciler();
    await reconciler.reapply();
    // As many entries as before, so that nothing else tells of the one that is missing.
    identity.erasureList.entries.delete(first);
    await identity.erasureList.add(identity.randomness.uuid<IdentityId>(), 1_000);
    await reconciler.reapply();
    expect(identity.erasureList.entries.has(first)).toBe(false);
    reconciler.storeRestored();
    await reconciler.reapply();
    expect(identity.erasureList.entries.has(first)).toBe(true);
  });

  it('is applied from the oldest person to the newest, so that the newest still show a restoration after a crash', async () => {
    const persons = [identityId, await identity.registerIdentity.execute(person()), await identity.registerIdentity.execute(person())] as const;
    for (const [index, id] of persons.entries()) await identity.erasureList.add(id, identity.clock.now() + index);
    given.failures = 1;
    await expect(identity.erasureReconciler().reapply()).rejects.toThrow('the process ends here');
    const last = async (id: IdentityId) => (await typesIn('identity', id)).at(-1);
    expect(await Promise.all(persons.map(last))).toEqual(['IdentityErased', 'IdentityRegistered', 'IdentityRegistered']);
    expect(await identity.erasureReconciler().reapply()).toBe(2);
  });

  it('is checked completely at first, and later as far as a store that was restored meanwhile may lack it', async () => {
    await identity.erasureList.add(identityId, 1_000);
    for (let count = 0; count < 30; count++) await erased();
    const reconciler = identity.erasureReconciler();
    expect(await reconciler.reapply()).toBe(1);

    const read = jest.spyOn(identity.store, 'read');
    const back = await identity.registerIdentity.execute(person());
    await identity.erasureList.add(back, identity.clock.now());
    expect(await reconciler.reapply()).toBe(1);
    expect(await typesIn('identitydata', back)).toEqual([]);
    read.mockClear();
    expect(await reconciler.reapply()).toBe(0);
    expect(read).toHaveBeenCalledTimes(20);
  });

  it.each(['grew', 'was lost, and'])('that %s by a copy which an operator brings back, is applied to every person of the copy', async (change) => {
    await identity.erasureList.add(identityId, 1_000);
    const copy = new Map(identity.erasureList.entries);
    identity.erasureList.entries.clear();
    for (let count = 0; count < 30; count++) await erased();
    const reconciler = identity.erasureReconciler();
    if (change === 'grew') await reconciler.reapply();
    else identity.erasureList.entries.clear();
    expect(await reconciler.reapply()).toBe(0);
    for (const [id, erasedAt] of copy) await identity.erasureList.add(id, erasedAt);
    expect(await reconciler.reapply()).toBe(1);
    expect(await typesIn('identitydata', identityId)).toEqual([]);
    const read = jest.spyOn(identity.store, 'read');
    expect(await reconciler.reapply()).toBe(0);
    expect(read).toHaveBeenCalledTimes(20);
  });

  describe('with faults', () => {
    const fault = (reason: ListFault['reason'], of: string = identityId, place = 'line 1'): ListFault => ({
      reason,
      identityId: of,
      erasedAt: 1,
      place,
    });

    it.each(['unsigned', 'key', 'forged', 'repeated', 'moved', 'missing'] as const)(
      'tells one once, and erases nobody for it: %s',
      async (reason) => {
        identity.erasureList.faults = [fault(reason)];
        const reconciler = identity.erasureReconciler();
        expect(await reconciler.reapply()).toBe(0);
        expect(await reconciler.reapply()).toBe(0);
        expect(identity.listFaults).toEqual([fault(reason)]);
        expect((await typesIn('identity', identityId)).at(-1)).toBe('IdentityRegistered');
      },
    );

    it('tells a line without a MAC also of a person whom the store shows as erased', async () => {
      await identity.eraseIdentity.execute(identityId);
      identity.erasureList.faults = [fault('unsigned')];
      await identity.erasureReconciler().reapply();
      expect(identity.listFaults).toEqual([fault('unsigned')]);
    });
  });
});
