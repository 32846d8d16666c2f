import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';

import { USUAL_STORES } from '#testkit/event-store/store-engines';
import type { ClientId } from '#kernel';
import { testPlatform } from '#testkit/platform/test-platform';

import { ADMIN_RIGHTS, CRITICAL_ROUTES } from '../src/admin-rights.js';
import { type Answer, type AskedApproval, type PersonHeaders, type PersonWithPhone, registryFixture } from './registry.fixture.js';

/** The changes that take effect at once: they give no power, show no secret, and end nothing for good. */
const PLAIN = [
  'POST /admin/v1/identities',
  'POST /admin/v1/identities/search',
  'POST /admin/v1/identities/:identityId/opening',
  'POST /admin/v1/clients',
  'DELETE /admin/v1/clients/:clientId/waiting-change',
  'POST /admin/v1/clients/:clientId/waiting-change/refusal',
  'POST /admin/v1/clients/:clientId/disable',
  'POST /admin/v1/clients/:clientId/enable',
  'PUT /admin/v1/clients/:clientId/logo',
  'POST /admin/v1/clients/:clientId/logo/approval',
  'DELETE /admin/v1/clients/:clientId/logo',
  'POST /admin/v1/clients/:clientId/webhook-endpoints',
  'PATCH /admin/v1/clients/:clientId/webhook-endpoints/:endpointId',
  'POST /admin/v1/clients/:clientId/webhook-endpoints/:endpointId/ping',
  'POST /admin/v1/clients/:clientId/webhook-endpoints/:endpointId/recover',
  'POST /admin/v1/clients/:clientId/webhook-endpoints/:endpointId/deliveries/:deliveryId/retry',
  'DELETE /admin/v1/clients/:clientId/members/:subjectId/phones/:phoneId',
  'DELETE /admin/v1/clients/:clientId/invitations/:invitationId',
  'POST /admin/v1/projections/:name/rebuild',
  'DELETE /admin/v1/members/:subjectId/sessions',
  'DELETE /admin/v1/members/:subjectId/phones/:phoneId',
  'DELETE /admin/v1/invitations/:invitationId',
  'DELETE /admin/v1/break-glass',
  'DELETE /admin/v1/own/sessions/:sessionId',
  'DELETE /admin/v1/own/phones/:phoneId/approval',
  'POST /admin/v1/approvals/:approvalId/completion',
];

describe('the inventory of changes', () => {
  it('names each route that changes something once: critical, or at once', () => {
    const changing = Object.keys(ADMIN_RIGHTS).filter((route) => !route.startsWith('GET '));
    expect([...Object.keys(CRITICAL_ROUTES), ...PLAIN].toSorted()).toEqual(changing.toSorted());
  });
});

describe.each(USUAL_STORES)('over $engine', ({ open }) => {
  let registry: Awaited<ReturnType<typeof registryFixture>>;
  let clientId: ClientId;
  let anna: PersonWithPhone;
  let annas: PersonHeaders;

  beforeEach(async () => {
    registry = await registryFixture(await testPlatform({}, {}, open));
    clientId = (await registry.client()) as ClientId;
    anna = await registry.newPerson();
    annas = await registry.member({ roles: ['security', 'operator'] }, anna);
  });
  afterEach(() => registry.close());

  const refusal = ({ status, body }: Answer) => [status, body['errorCode']];
  const asked = (answer: Answer): AskedApproval => {
    expect([answer.status, answer.body]).toEqual([202, { approval: expect.objectContaining({ approvalId: expect.any(String) }) }]);
    return answer.body['approval'] as AskedApproval;
  };
  const redirects = { redirect_uris: ['https://rp.example/callback', 'https://shop.example/cb'] };
  const change = (by: PersonHeaders = annas, body: object = redirects) => registry.send('PATCH', `/clients/${clientId}`, body, by);
  const uris = async () => (await registry.call('GET', `/clients/${clientId}`)).body['redirectUris'];
  const BEFORE = ['https://rp.example/callback'];

  describe('a critical change', () => {
    it('waits for the phone, which shows object and change, and takes effect once', async () => {
      const approval = asked(await change());
      expect(approval).toEqual({
        approvalId: expect.any(String),
        title: 'Shop: new redirect URI shop.example/cb',
        expiresAt: expect.any(Number),
        verificationCode: expect.stringMatching(/^\d\d$/),
      });
      expect(refusal(await registry.complete(approval, annas))).toEqual([409, 'approval_not_signed']);
      expect(await uris()).toEqual(BEFORE);
      const shown = await registry.approve(approval, anna);
      expect(shown).toMatchObject({ relyingPartyName: 'Countersign portal', title: approval.title });
      expect(shown.details).toContain('New redirect URI: https://shop.example/cb');
      expect(shown.details).toContain(JSON.stringify(redirects));
      expect(JSON.parse(Buffer.from(shown.toBeSigned, 'base64').toString())).toMatchObject({ title: approval.title, details: shown.details });
      expect((await registry.send('GET', `/approvals/${approval.approvalId}`, undefined, annas)).body).toEqual({ state: 'SIGNED' });
      const done = await registry.complete(approval, annas);
      expect([done.status, done.body['redirectUris']]).toEqual([200, redirects.redirect_uris]);
      expect(refusal(await registry.complete(approval, annas))).toEqual([404, 'approval_not_found']);
    });

    it('takes effect once of forty completions at the same time', async () => {
      const approval = asked(await registry.send('POST', `/clients/${clientId}/secret`, undefined, annas));
      await registry.approve(approval, anna);
      const answers = await Promise.all(Array.from({ length: 40 }, () => registry.complete(approval, annas)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 404]));
      // That of the registration, and the new one.
      expect((await registry.events('client', clientId)).filter((type) => type === 'SecretIssued')).toHaveLength(2);
    });

    it('puts the signature of the person on the trail, where it can be verified', async () => {
      await registry.call('PATCH', `/clients/${clientId}`, redirects, annas);
      const { entries } = (await registry.call('GET', '/audit?limit=5')).body as { entries: Record<string, unknown>[] };
      const approved = entries.find(({ phase }) => phase === 'APPROVED');
      expect(approved).toMatchObject({ actor: anna.subjectId, action: 'PATCH /admin/v1/clients/:clientId', target: { clientId } });
      const [statement] = approved!['statements'] as { by: string; toBeSigned: string; signature: string; publicKey: JsonWebKey }[];
      const key = createPublicKey({ key: statement!.publicKey, format: 'jwk' });
      const bytes = Buffer.from(statement!.toBeSigned, 'base64');
      expect(statement!.by).toBe(anna.subjectId);
      expect(verify('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(statement!.signature, 'base64'))).toBe(true);
      expect(bytes.toString()).toContain('https://shop.example/cb');
      expect(JSON.stringify(approved)).not.toContain(anna.deviceId);
    });
  });

  describe('an attack on a critical change', () => {
    it('with one changed letter in what the phone signs is refused', async () => {
      const approval = asked(await change());
      const altered = (statement: string) => statement.replace('shop.example', 'sh0p.example');
      await expect(registry.approve(approval, { ...anna, altered })).rejects.toMatchObject({ code: 'invalid_signature' });
      expect(refusal(await registry.complete(approval, annas))).toEqual([409, 'approval_not_signed']);
      expect(await uris()).toEqual(BEFORE);
    });

    it('with one changed letter in the change that is stored is refused', async () => {
      const approval = asked(await change());
      await registry.approve(approval, anna);
      const { sealer } = registry.platform;
      const open = sealer.open.bind(sealer);
      sealer.open = ((sealed: string, context: string) => {
        const value: unknown = open(sealed, context);
        return context.startsWith('changerequest-') ? JSON.parse(JSON.stringify(value).replace('shop.example', 'sh0p.example')) : value;
      }) as typeof sealer.open;
      expect(refusal(await registry.complete(approval, annas))).toEqual([409, 'approval_outdated']);
      expect(await uris()).toEqual(BEFORE);
    });

    it('by a stolen session reads, and changes nothing', async () => {
      const stolen = { ...annas };
      expect((await registry.send('GET', '/audit', undefined, stolen)).status).toBe(200);
      for (const [method, path, body] of [
        ['POST', `/clients/${clientId}/secret`, undefined],
        ['PATCH', `/clients/${clientId}`, redirects],
        ['PATCH', `/clients/${clientId}`, { dynamic_qr: true }],
        ['DELETE', `/clients/${clientId}`, undefined],
        ['POST', '/invitations', { label: 'back-door', roles: ['security'] }],
        ['POST', `/clients/${clientId}/invitations`, { label: 'back-door' }],
        ['POST', '/admin-tokens', { name: 'back-door', role: 'security', expires_at: registry.inADay() }],
        ['DELETE', `/identities/${anna.identityId}`, undefined],
        ['POST', `/identities/${anna.identityId}/activation-codes`, undefined],
        ['DELETE', `/identities/${anna.identityId}/devices/${anna.deviceId}`, undefined],
      ] as const) {
        const answer = await registry.send(method, path, body, stolen);
        // Switching a protection on is no critical change.
        expect(answer.status).toBe(body && 'dynamic_qr' in body ? 200 : 202);
        expect(answer.text).not.toMatch(/clientSecret|"token"|"link"|activationCode/);
      }
      expect(await registry.events('identity', anna.identityId)).not.toContain('IdentityErased');
    });

    it('by another session, person or token carries nothing out', async () => {
      const approval = asked(await change());
      await registry.approve(approval, anna);
      const { token } = await registry.token('operator');
      for (const [by, expected] of [
        [await registry.session(anna), [404, 'approval_not_found']],
        [await registry.member({ roles: ['security', 'operator'] }), [404, 'approval_not_found']],
        [{ authorization: `Bearer ${token}` }, [403, 'forbidden']],
        [{}, [403, 'forbidden']],
      ] as const)
        expect(refusal(await registry.complete(approval, by))).toEqual(expected);
      expect(await uris()).toEqual(BEFORE);
    });

    it('by the header with which the service carries changes out is a change like any other', async () => {
      for (const value of ['', 'x', 'a'.repeat(43)])
        expect((await change({ ...annas, 'x-carried-change': value } as PersonHeaders)).status).toBe(202);
    });

    it('after the phone has declined, the session has ended, the right was taken, or time is over does nothing', async () => {
      const declined = asked(await change());
      await registry.approve(declined, { ...anna, declines: true });
      expect(refusal(await registry.complete(declined, annas))).toEqual([410, 'session_expired']);

      const late = asked(await change());
      await registry.approve(late, anna);
      registry.platform.clock.advance(10 * 60_000);
      expect(refusal(await registry.complete(late, annas))).toEqual([404, 'approval_not_found']);

      const removed = await registry.member({ roles: ['operator'] }, await registry.newPerson());
      const theirs = asked(await change(removed));
      const { sessionId } = (await registry.data('changerequest', theirs.approvalId))[0] as { sessionId: string };
      expect(sessionId).toBeDefined();
      expect(await uris()).toEqual(BEFORE);
    });

    it('on a client that has changed since is refused, and asked for anew', async () => {
      const approval = asked(await change());
      await registry.approve(approval, anna);
      await registry.call('PATCH', `/clients/${clientId}`, { redirect_uris: ['https://rp.example/callback', 'https://rp.example/other'] });
      expect(refusal(await registry.complete(approval, annas))).toEqual([409, 'approval_outdated']);
      expect(await uris()).toEqual(['https://rp.example/callback', 'https://rp.example/other']);
      expect((await registry.call('PATCH', `/clients/${clientId}`, redirects, annas)).status).toBe(200);
    });

    it('by a phone that does not show details is refused, and the change waits for one that does', async () => {
      const approval = asked(await change());
      await expect(registry.approve(approval, { ...anna, showsDetails: false })).rejects.toMatchObject({ code: 'details_not_shown' });
      await registry.approve(approval, anna);
      expect((await registry.complete(approval, annas)).status).toBe(200);
    });

    it('by a phone of the person that may not act in the portal yet approves nothing', async () => {
      registry.platform.clock.advance(1);
      const fresh = await registry.phoneOf(anna.identityId);
      const approval = asked(await change());
      await registry.approve(approval, { deviceId: fresh });
      expect(refusal(await registry.complete(approval, annas))).toEqual([403, 'forbidden']);
      expect(await uris()).toEqual(BEFORE);
    });

    it('by a flood of approvals is stopped', async () => {
      const statuses: number[] = [];
      for (let count = 0; count < 31; count += 1) statuses.push((await change()).status);
      expect([statuses.slice(0, 30).every((status) => status === 202), statuses[30]]).toEqual([true, 429]);
    });

    it('does not make a request valid: what is wrong is refused before the phone is asked', async () => {
      for (const [body, status] of [
        [{ redirect_uris: 'https://shop.example/cb' }, 400],
        [{ ...redirects, unknown: true }, 400],
      ] as const)
        expect((await change(annas, body)).status).toBe(status);
      expect(refusal(await registry.send('DELETE', '/clients/00000000-0000-4000-8000-000000000000', undefined, annas))).toEqual([
        404,
        'client_not_found',
      ]);
    });
  });
});
