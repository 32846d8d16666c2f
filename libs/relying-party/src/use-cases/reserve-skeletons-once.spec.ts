import { jest } from '@jest/globals';

import type { ClientId } from '#kernel';

import { relyingPartyUseCases } from '../relying-party-use-cases.js';
import { NAME_COMPARISONS } from '../repositories/name-comparisons.js';
import { listOfStore, storedWithoutSkeleton, terms, clock, store, parts, clients, useClients, nameStreams } from '../testing/registered-clients.js';

useClients();

const DAY = 86_400_000;
const LOOK_ALIKE = { code: 'name_taken', reason: 'the name looks like that of another client' };
const named = (name: string) => ({ ...terms, name });
const register = async (name: string): Promise<ClientId> => (await clients.registerClient.execute(named(name))).clientId;

describe('the start of a registry', () => {
  let opened: ReturnType<typeof listOfStore>;
  beforeEach(() => {
    opened = listOfStore();
  });
  afterEach(() => opened.projections.close());

  /** What a start answers, and how many reads of the store and of the list it costs. The use cases are those of a new process. */
  const start = async () => {
    const { reserveSkeletons } = relyingPartyUseCases(parts);
    const [read, exists] = [jest.spyOn(store, 'read'), jest.spyOn(store, 'exists')];
    const pages = jest.spyOn(opened.list, 'execute');
    try {
      const found = await reserveSkeletons.execute(opened.list);
      return { found, reads: read.mock.calls.length + exists.mock.calls.length, pages: pages.mock.calls.length };
    } finally {
      for (const spy of [read, exists, pages]) spy.mockRestore();
    }
  };

  it.each([1, 120])('costs one read of the store after a whole comparison, beside %i clients', async (count) => {
    for (let number = 0; number < count; number++) await register(`Client ${number}`);
    expect((await start()).reads).toBeGreaterThanOrEqual(count);
    expect(await start()).toEqual({ found: [], reads: 1, pages: 0 });
    await register('One more');
    expect(await start()).toEqual({ found: [], reads: 1, pages: 0 });
  });

  it('reads all names for a day after reservations were missing, so that it finds what an older replica stores meanwhile, and then no more', async () => {
    await storedWithoutSkeleton('PayPal');
    expect(await start()).toMatchObject({ found: [], pages: 1 });
    const late = await storedWithoutSkeleton('Ajax');
    expect(await start()).toMatchObject({ found: [], pages: 1 });
    await expect(register('Aj\u034Fax')).rejects.toMatchObject(LOOK_ALIKE);
    await clients.deleteClient.execute(late);
    clock.advance(DAY);
    expect(await start()).toMatchObject({ found: [], pages: 1 });
    expect(await start()).toEqual({ found: [], reads: 1, pages: 0 });
  });

  it('names the same pairs after the last comparison, by reads of their names alone, until they part', async () => {
    const first = await storedWithoutSkeleton('PayPal');
    const second = await storedWithoutSkeleton('PayPaI');
    for (let number = 0; number < 20; number++) await register(`Client ${number}`);
    await start();
    clock.advance(DAY);
    await start();
    const { found, reads, pages } = await start();
    expect({ found, pages }).toEqual({ found: [{ clientId: second, looksLike: first }], pages: 0 });
    expect(reads).toBeLessThan(10);
    await clients.changeClient.execute(first, { name: 'Ajax' });
    expect((await start()).found).toEqual([]);
    await expect(register('PayPa1')).rejects.toMatchObject(LOOK_ALIKE);
    await clients.deleteClient.execute(second);
    expect(await start()).toMatchObject({ found: [], pages: 0 });
  });

  it.each([
    ['between two reservations', 1],
    ['after the last reservation', 2],
  ])('reads all names again after a comparison that was interrupted %s', async (_, appends) => {
    await storedWithoutSkeleton('PayPal');
    await storedWithoutSkeleton('Ajax');
    const append = store.append.bind(store);
    let left = appends;
    const interrupted = jest
      .spyOn(store, 'append')
      .mockImplementation(async (...event) => (left-- > 0 ? append(...event) : Promise.reject(new Error('the process ends'))));
    await expect(start()).rejects.toThrow('the process ends');
    interrupted.mockRestore();
    expect((await nameStreams()).size).toBe(appends);
    expect((await start()).pages).toBe(1);
    for (const name of ['PayPa1', 'Aj\u034Fax']) await expect(register(name)).rejects.toMatchObject(LOOK_ALIKE);
  });

  it('beside that of another replica reserves each skeleton once, and finds the same pairs', async () => {
    const first = await storedWithoutSkeleton('PayPal');
    const second = await storedWithoutSkeleton('PayPaI');
    const [one, two] = await Promise.all([1, 2].map(() => relyingPartyUseCases(parts).reserveSkeletons.execute(opened.list)));
    expect([one, two]).toEqual([[{ clientId: second, looksLike: first }], [{ clientId: second, looksLike: first }]]);
    expect([...(await nameStreams()).values()]).toEqual([['NameReserved']]);
    expect((await start()).pages).toBe(1);
  });

  it('waits until the list shows all clients before it compares them', async () => {
    await storedWithoutSkeleton('PayPal');
    const steps: string[] = [];
    const list = {
      current: async () => void steps.push('current'),
      execute: async () => {
        steps.push('page');
        return { entries: [] };
      },
    };
    await clients.reserveSkeletons.execute(list);
    expect(steps).toEqual(['current', 'page']);
    const behind = { ...list, current: async () => Promise.reject(new Error('behind')) };
    await store.append(NAME_COMPARISONS, 0, [{ type: 'NamesCompared', data: { at: clock.now(), rules: 0, reserved: 0, alike: [] } }]);
    await expect(clients.reserveSkeletons.execute(behind)).rejects.toThrow('behind');
    expect((await store.read(NAME_COMPARISONS)).length).toBe(2);
  });
});
