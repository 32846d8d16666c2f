import { jest } from '@jest/globals';

import { USUAL_STORES } from '#testkit/event-store/store-engines';
import { ServiceUnavailable } from '#kernel';
import { testPlatform } from '#testkit/platform/test-platform';

import { MARI, registryFixture } from './registry.fixture.js';

describe.each(USUAL_STORES)('over $engine', ({ open }) => {
  let api: Awaited<ReturnType<typeof registryFixture>>;
  beforeEach(async () => {
    api = await registryFixture(await testPlatform({}, {}, open));
  });
  afterEach(() => api.close());

  const UNKNOWN = ['00000000-0000-4000-8000-000000000000', 'not-a-uuid', '%00'];

  describe('one person', () => {
    const search = (key: object = {}) => api.call('POST', '/identities/search', { country: 'EE', personal_code: MARI.personal_code, ...key });
    const open = (identityId: string) => api.call('POST', `/identities/${identityId}/opening`);
    const trail = async () =>
      ((await api.call('GET', '/audit')).body['entries'] as { phase: string; action: string; target: object; status?: number }[])
        .filter(({ phase, action }) => phase === 'ENDED' && /search|opening/.test(action))
        .map(({ action, target, status }) => [action, target, status]);

    it('is found by country and code, in capitals or not, and the answer holds the id alone', async () => {
      const identityId = await api.identity({ personal_code: 'ab-12' });
      for (const personal_code of ['ab-12', 'AB-12']) {
        const { status, body, headers } = await search({ personal_code });
        expect([status, body, headers['cache-control']]).toEqual([200, { identityId }, 'no-store']);
      }
    });

    it.each([
      { personal_code: '47101010034' },
      { country: 'LV' },
      { personal_code: '' },
      { personal_code: '\u0000' },
      { country: 'x'.repeat(10_000) },
    ])('is not found by %j', async (key) => {
      await api.identity();
      const { status, body } = await search(key);
      expect([status, body.errorCode]).toEqual([404, 'identity_not_found']);
    });

    it.each([{ personal_code: 47101010033 }, { personal_code: [MARI.personal_code] }, { country: undefined }, { given_name: 'Mari' }])(
      'is not searched for by %j',
      async (key) => expect((await search(key)).status).toBe(400),
    );

    it('is opened one at a time, and the trail tells whose data was opened, and nothing of it', async () => {
      const identityId = await api.identity();
      await search();
      const { status, body } = await open(identityId);
      expect([status, body]).toEqual([
        200,
        { identityId, givenName: 'Mari', familyName: 'Maasikas', personalCode: '47101010033', dateOfBirth: '1971-01-01', country: 'EE' },
      ]);
      expect(await trail()).toEqual([
        ['POST /admin/v1/identities/:identityId/opening', { identityId }, 200],
        ['POST /admin/v1/identities/search', { identityId }, 200],
      ]);
      expect((await api.call('GET', '/audit')).text).not.toMatch(/Mari|47101010033/);
    });

    const bearer = async (role: 'support' | 'operator' | 'security') => ({ authorization: `Bearer ${(await api.token(role)).token}` });
    const openBy = (identityId: string, body: object | undefined, headers: Readonly<Record<string, string>>) =>
      api.call('POST', `/identities/${identityId}/opening`, body, headers);

    it('is opened by `support` with a reason alone, which the trail keeps', async () => {
      const identityId = await api.identity();
      for (const support of [await bearer('support'), await api.member({ roles: ['read', 'support'] })]) {
        for (const body of [
          undefined,
          {},
          { reason: null },
          { reason: '' },
          { reason: 'Mari called' },
          { reason: 'x'.repeat(65) },
          { reason: ['a-1'] },
        ]) {
          const refused = await openBy(identityId, body, support);
          expect([body, refused.status, refused.body.errorCode]).toEqual([body, 400, 'invalid_request']);
          expect(refused.text).not.toMatch(/Maasikas/);
        }
        expect((await openBy(identityId, { reason: 'case-4711', why: 'x' }, support)).status).toBe(400);
        expect(await openBy(identityId, { reason: 'case-4711' }, support)).toMatchObject({ status: 200, body: { givenName: 'Mari' } });
      }
      const { entries } = (await api.call('GET', '/audit?limit=100')).body as { entries: { action: string; reason?: string; status?: number }[] };
      const opened = entries.filter(({ action }) => action.endsWith('/opening'));
      expect(opened.filter(({ status }) => status === 200).map(({ reason }) => reason)).toEqual(['case-4711', 'case-4711']);
      expect(JSON.stringify(opened)).not.toMatch(/Mari called|xxx/);
    });

    it('is opened by `operator` and `security` without one, who may list persons anyway', async () => {
      const identityId = await api.identity();
      for (const by of [await bearer('operator'), await bearer('security'), await api.member({ roles: ['support', 'operator'] })])
        expect((await openBy(identityId, undefined, by)).status).toBe(200);
    });

    it('that is the thirty-first of one caller in an hour raises the alarm, by whatever calls and reasons', async () => {
      const identityId = await api.identity();
      const warn = jest.spyOn(api.platform.log, 'warn');
      const unusual = async () => (await api.platform.metrics.unusualPersonOpenings.get()).values.map(({ value }) => value);
      for (let time = 0; time < 15; time += 1) {
        expect((await api.call('POST', `/identities/${identityId}/opening`, { reason: `case-${time}` })).status).toBe(200);
        await api.call('POST', '/identities/search', { country: 'EE', personal_code: `AB-${time}` });
      }
      expect([await unusual(), warn.mock.calls]).toEqual([[0], []]);
      expect((await openBy(identityId, { reason: 'case-1' }, await bearer('support'))).status).toBe(200);
      expect(await unusual()).toEqual([0]);
      await api.call('POST', `/identities/${identityId}/opening`);
      expect([await unusual(), warn.mock.calls]).toEqual([[1], [['one caller opens more persons than usual', { component: 'registry' }]]]);
      expect((await api.platform.metrics.personOpenings.get()).values).toEqual([expect.objectContaining({ value: 32 })]);
    });

    it('is in no list for `support`, and each page of a list raises the alarm', async () => {
      await api.identity();
      for (const support of [await bearer('support'), await api.member({ roles: ['read', 'support'] })])
        expect(await api.call('GET', '/identities', undefined, support)).toMatchObject({ status: 403, body: { errorCode: 'forbidden' } });
      const warn = jest.spyOn(api.platform.log, 'warn');
      for (const by of [await bearer('operator'), await bearer('security')])
        expect((await api.call('GET', '/identities', undefined, by)).status).toBe(200);
      expect((await api.platform.metrics.personLists.get()).values).toEqual([expect.objectContaining({ value: 2 })]);
      expect(warn.mock.calls).toEqual(Array.from({ length: 2 }, () => ['persons were listed', { component: 'registry', count: expect.any(Number) }]));
    });

    it('is on the trail when a list shows it, with each person of the page, and when its phones are listed', async () => {
      const [one, other] = [await api.identity(), await api.identity({ personal_code: 'AB-12' })];
      await api.call('GET', '/identities?limit=1');
      await api.call('GET', '/identities');
      await api.call('GET', `/identities/${one}/devices`);
      const { entries } = (await api.call('GET', '/audit?limit=6')).body as { entries: { phase: string; action: string; persons?: string[] }[] };
      expect(entries.map(({ phase }) => phase)).toEqual(['ENDED', 'BEGUN', 'ENDED', 'BEGUN', 'ENDED', 'BEGUN']);
      expect(entries.filter(({ phase }) => phase === 'ENDED')).toMatchObject([
        { action: 'GET /admin/v1/identities/:identityId/devices', target: { identityId: one }, status: 200 },
        { action: 'GET /admin/v1/identities', target: {}, persons: [one, other], status: 200 },
        { action: 'GET /admin/v1/identities', persons: [one] },
      ]);
      expect(JSON.stringify(entries)).not.toMatch(/Mari|47101010033/);
    });

    it.each([1, 2])('is not shown in a list while the trail cannot be written, from its entry %i on', async (failing) => {
      const identityId = await api.identity();
      const { eventStore } = api.platform;
      const append = eventStore.append.bind(eventStore);
      for (const path of ['/identities', `/identities/${identityId}/devices`]) {
        let appends = 0;
        const broken = jest.spyOn(eventStore, 'append').mockImplementation((stream, ...rest) => {
          if (stream.startsWith('audit-') && (appends += 1) >= failing) return Promise.reject(new ServiceUnavailable('store'));
          return append(stream, ...rest);
        });
        const refused = await api.call('GET', path);
        broken.mockRestore();
        expect([refused.status, refused.body.errorCode]).toEqual([503, 'service_unavailable']);
        expect(refused.text).not.toMatch(/Mari|deviceId/);
      }
    });

    it('is neither found nor opened after the erasure, and is not opened while the trail cannot be written', async () => {
      const identityId = await api.identity();
      const append = jest.spyOn(api.platform.eventStore, 'append').mockRejectedValue(new ServiceUnavailable('store'));
      const refused = await open(identityId);
      append.mockRestore();
      expect([refused.status, refused.text]).toEqual([503, expect.not.stringContaining('Mari')]);
      await api.call('DELETE', `/identities/${identityId}`);
      expect([(await search()).status, (await open(identityId)).status]).toEqual([404, 404]);
      for (const id of UNKNOWN) expect((await open(id)).status).toBe(404);
    });
  });
});
