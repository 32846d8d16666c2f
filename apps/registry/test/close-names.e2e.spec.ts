import { USUAL_STORES } from '#testkit/event-store/store-engines';
import type { ClientId } from '#kernel';
import { testPlatform } from '#testkit/platform/test-platform';

import { type PersonHeaders, registryFixture } from './registry.fixture.js';

describe.each(USUAL_STORES)('names that are close to registered ones, over $engine', ({ open }) => {
  let registry: Awaited<ReturnType<typeof registryFixture>>;
  let bank: string;
  let operator: PersonHeaders;
  beforeEach(async () => {
    registry = await registryFixture(await testPlatform({ CLIENT_CONSENT: 'true' }, {}, open));
    bank = await register('Swedbank');
    operator = await registry.member({ roles: ['operator'] });
  });
  afterEach(() => registry.close());

  const register = async (name: string): Promise<string> =>
    (await registry.call('POST', '/clients', { name, redirect_uris: [] })).body['clientId'] as string;
  const near = (name: string, by: Record<string, string> = operator) =>
    registry.call('GET', `/client-names?near=${encodeURIComponent(name)}`, undefined, by);
  const SUPPORT = { name: 'Swedbank', closeness: 88, differences: ['ADDED_WORDS'] };

  it('are shown to the operator before a registration, the closest first, five at most', async () => {
    expect(await near('Swedbank Support')).toMatchObject({ status: 200, body: { names: [{ clientId: bank, ...SUPPORT }] } });
    await Promise.all(['Luminor', 'Swedbank Latvija', 'Svvedbank', 'Swedbnak', 'Swedebank', 'Swedbank.'].map(register));
    const names = (await near('"Swedbank"')).body['names'] as { name: string; closeness: number }[];
    expect(names.slice(0, 3).map(({ name, closeness }) => [name, closeness])).toEqual(
      expect.arrayContaining([
        ['Swedbank', 97],
        ['Swedbank.', 97],
        ['Svvedbank', 93],
      ]),
    );
    expect(names).toHaveLength(5);
    expect(names.map(({ closeness }) => closeness)).toEqual(names.map(({ closeness }) => closeness).toSorted((one, other) => other - one));
  });

  it('include the name of the service itself', async () => {
    expect((await near('Countersign support')).body['names']).toEqual([
      expect.objectContaining({ name: 'Countersign portal', differences: ['ADDED_WORDS'] }),
    ]);
  });

  it('are none of a deleted or renamed client, nor for a name of its own', async () => {
    await registry.call('DELETE', `/clients/${bank}`);
    expect((await near('Swedbank.')).body['names']).toEqual([]);
    expect((await near('Harbour 24')).body['names']).toEqual([]);
  });

  it.each([
    ['', 400],
    ['   ', 400],
    ['x'.repeat(65), 400],
    ['a', 200],
    ['\u200c'.repeat(64), 200],
    ['%00', 200],
    ['\uFDFA'.repeat(64), 200],
  ])('answer a question for %j with %s', async (name, status) => expect((await near(name)).status).toBe(status));

  it('are asked for once', async () => {
    for (const query of ['', '?near=a&near=b', '?near[a]=b'])
      expect((await registry.call('GET', `/client-names${query}`, undefined, operator)).status).toBe(400);
  });

  it('stand beside a change that waits, for operators and for nobody of another client', async () => {
    const other = (await registry.client()) as ClientId;
    const member = await registry.member({ clientId: other });
    const change = (by: Record<string, string>) => registry.call('GET', `/clients/${other}/waiting-change`, undefined, by);
    await registry.call('PATCH', `/clients/${other}`, { name: 'Swedbank Support' }, member);
    expect((await change(operator)).body['waiting']).toMatchObject({ closeNames: [{ clientId: bank, ...SUPPORT }] });
    const { authorization } = registry;
    expect((await change({ authorization })).body['waiting']).toHaveProperty('closeNames');
    for (const by of [member, await registry.member({ roles: ['read', 'support', 'security'] })]) {
      expect((await change(by)).body['waiting']).not.toHaveProperty('closeNames');
      expect((await near('Swedbank Support', by)).status).toBe(403);
    }
    // Its own present name is no other one.
    await registry.call('PATCH', `/clients/${other}`, { name: 'Shop!' }, member);
    expect((await change(operator)).body['waiting']).toMatchObject({ closeNames: [] });
    await registry.call('PATCH', `/clients/${other}`, { name: 'Shop', redirect_uris: ['https://rp.example/new'] }, member);
    expect((await change(operator)).body['waiting']).not.toHaveProperty('closeNames');
  });
});
