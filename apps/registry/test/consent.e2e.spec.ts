import { USUAL_STORES } from '#testkit/event-store/store-engines';
import type { ClientId } from '#kernel';
import { testPlatform } from '#testkit/platform/test-platform';

import { type PersonHeaders, registryFixture } from './registry.fixture.js';

type Body = Record<string, unknown>;

describe.each(USUAL_STORES)('over $engine', ({ open }) => {
  let registry: Awaited<ReturnType<typeof registryFixture>>;
  let clientId: ClientId;
  let member: PersonHeaders;
  let operator: PersonHeaders;

  beforeEach(async () => {
    registry = await registryFixture(await testPlatform({ CLIENT_CONSENT: 'true' }, {}, open));
    clientId = (await registry.client()) as ClientId;
    member = await registry.member({ clientId });
    operator = await registry.member({ roles: ['operator'] });
  });
  afterEach(() => registry.close());

  const path = (rest = '') => `/clients/${clientId}${rest}`;
  const ask = (body: object, by: Record<string, string> = member) => registry.call('PATCH', path(), body, by);
  const client = async () => (await registry.call('GET', path())).body;
  const waiting = async () => (await registry.call('GET', path('/waiting-change'), undefined, member)).body['waiting'] as Body | undefined;
  const decide = (what: 'acceptance' | 'refusal', change_id: unknown, by: PersonHeaders = operator) =>
    registry.call('POST', path(`/waiting-change/${what}`), { change_id }, by);
  const refusal = ({ status, body }: { status: number; body: Body }) => [status, body['errorCode']];

  describe('with CLIENT_CONSENT, a change by a member', () => {
    it('of name, redirect URIs and allow-lists takes effect once an operator accepts it', async () => {
      const changes = { name: 'Bank', redirectUris: ['https://rp.example/new'], allowedAttributes: ['name'], allowedPredicates: ['ageOver*'] };
      const asked = await ask({
        name: changes.name,
        redirect_uris: changes.redirectUris,
        allowed_attributes: changes.allowedAttributes,
        allowed_predicates: changes.allowedPredicates,
        dynamic_qr: true,
      });
      expect([asked.status, asked.body]).toEqual([200, expect.objectContaining({ name: 'Shop', allowedAttributes: [], dynamicQr: true })]);
      const change = (await waiting())!;
      expect(change['changes']).toEqual(changes);
      const { body } = await registry.call('GET', '/waiting-changes', undefined, operator);
      expect(body['changes']).toEqual([{ clientId, clientName: 'Shop', ...change }]);
      expect((await client())['name']).toBe('Shop');

      const accepted = await decide('acceptance', String(change['changeId']).toUpperCase());
      expect([accepted.status, accepted.body]).toEqual([200, expect.objectContaining(changes)]);
      expect(await client()).toMatchObject(changes);
      expect((await registry.call('GET', path('/waiting-change'), undefined, member)).body).toEqual({
        decided: { changeId: change['changeId'], accepted: true, at: change['askedAt'] },
      });
      expect((await registry.call('GET', '/waiting-changes', undefined, operator)).body['changes']).toEqual([]);
    });

    it('that switches the finishing by a number on waits, and that switches it off does not', async () => {
      expect((await ask({ finish_by_number: true })).body['finishByNumber']).toBeUndefined();
      const change = (await waiting())!;
      expect(change['changes']).toEqual({ finishByNumber: true });
      expect(refusal(await ask({ dynamic_qr: true }))).toEqual([400, 'invalid_request']);
      expect((await decide('acceptance', change['changeId'])).body['finishByNumber']).toBe(true);
      expect(refusal(await ask({ dynamic_qr: true }, operator))).toEqual([400, 'invalid_request']);
      expect((await ask({ finish_by_number: false })).body['finishByNumber']).toBe(false);
      expect(await waiting()).toBeUndefined();
    });

    it('is not accepted by a member, and security can refuse it', async () => {
      await ask({ name: 'Bank' });
      const change = (await waiting())!;
      expect(refusal(await decide('acceptance', change['changeId'], member))).toEqual([403, 'forbidden']);
      const security = await registry.member({ roles: ['security'] });
      expect(refusal(await decide('acceptance', change['changeId'], security))).toEqual([403, 'forbidden']);
      expect((await decide('refusal', change['changeId'], security)).status).toBe(204);
      expect(refusal(await decide('acceptance', change['changeId']))).toEqual([404, 'change_not_found']);
      expect((await client())['name']).toBe('Shop');
    });

    it('is not accepted under the id of what an operator has looked at, when a member has altered it since', async () => {
      await ask({ allowed_attributes: ['name'] });
      const looked = (await waiting())!;
      await ask({ allowed_attributes: ['name', 'personalCode'] });
      expect(refusal(await decide('acceptance', looked['changeId']))).toEqual([404, 'change_not_found']);
      expect(refusal(await decide('acceptance', 'everything'))).toEqual([400, 'invalid_request']);
      expect((await client())['allowedAttributes']).toEqual([]);
    });

    it('is withdrawn by a member of the same client alone', async () => {
      await ask({ name: 'Bank' });
      const other = await registry.member({ clientId: (await registry.client({ name: 'Other shop' })) as ClientId });
      expect(refusal(await registry.call('DELETE', path('/waiting-change'), undefined, other))).toEqual([403, 'forbidden']);
      expect((await registry.call('DELETE', path('/waiting-change'), undefined, member)).status).toBe(204);
      expect(await waiting()).toBeUndefined();
      expect(refusal(await registry.call('DELETE', path('/waiting-change'), undefined, member))).toEqual([404, 'change_not_found']);
    });

    it('is refused at once when it breaks a rule', async () => {
      expect(refusal(await ask({ name: 'SEB\u0411\u0430\u043d\u043a' }))).toEqual([400, 'invalid_request']);
      expect(refusal(await ask({ redirect_uris: ['javascript:alert(1)'] }))).toEqual([400, 'invalid_request']);
      expect(refusal(await ask({ enabled: true }))).toEqual([400, 'invalid_request']);
      expect(await waiting()).toBeUndefined();
    });
  });

  describe('with CLIENT_CONSENT, a change by an operator', () => {
    it('takes effect at once, by a token and by a person', async () => {
      const { token } = await registry.token('operator');
      expect((await ask({ name: 'One' }, { authorization: `Bearer ${token}` })).body['name']).toBe('One');
      expect((await ask({ name: 'Two' }, operator)).body['name']).toBe('Two');
      expect(await waiting()).toBeUndefined();
    });
  });
});
