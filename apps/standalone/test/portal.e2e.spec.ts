import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { SpawnedTestServer } from '#testkit/event-store/eventstoredb/spawned-test-server';
import { portalClientId } from '#domain/relying-party';
import type { Phone } from '#clients/software-phone';

import { type Jar, PortalWorld } from './portal.fixture.js';
import { PIN } from './release-data.fixture.js';

// A start of the whole service, on a busy machine.
jest.setTimeout(120_000);

const ENGINES = [
  { engine: 'SQLite', start: async () => undefined },
  { engine: 'the gRPC test server', start: () => SpawnedTestServer.start() },
];

describe.each(ENGINES)('over $engine', ({ start }) => {
  let server: SpawnedTestServer | undefined;
  let world: PortalWorld;
  let admin: Jar;
  let adminPhone: Phone;
  let memberPhone: Phone;
  let printed: string;

  beforeAll(async () => {
    server = await start();
    world = await PortalWorld.start(server && { ESDB_URL: server.connectionString });
    printed = await world.firstCode();
    [admin, adminPhone, memberPhone] = [new Map(), await world.phone('48001010001'), await world.phone('39506150002')];
    expect(await world.logIn(admin, adminPhone, printed)).toBe(`${world.origin}/portal/`);
  });
  afterAll(async () => {
    await world.close();
    await server?.[Symbol.asyncDispose]();
  });

  const ownClientId = () => {
    const { keys, settings } = world.service.standalone.platform;
    return portalClientId(keys.index, settings.environment);
  };

  const client = async (name: string): Promise<string> => {
    const terms = { name, redirect_uris: ['https://shop.example/first'], allowed_attributes: [], allowed_predicates: [] };
    return (await world.call(admin, 'POST', '/admin/v1/clients', terms)).body['clientId'] as string;
  };

  describe('the portal', () => {
    it('leads a relying party from its invitation to its first login without a terminal', async () => {
      const clientId = await client('Shop');
      const member: Jar = new Map();
      expect(await world.logIn(member, memberPhone, await world.invite(admin, `/clients/${clientId}/invitations`, { label: 'shop-owner' }))).toBe(
        `${world.origin}/portal/`,
      );
      expect((await world.call(member, 'GET', '/portal/v1/session')).body).toMatchObject({
        roles: [],
        clients: [{ clientId, name: 'Shop', role: 'owner' }],
      });
      const path = `/admin/v1/clients/${clientId}`;
      expect((await world.call(member, 'PATCH', path, { redirect_uris: ['https://shop.example/back'] })).status).toBe(200);
      const { clientSecret } = (await world.call(member, 'POST', `${path}/secret`)).body as { clientSecret: string };

      const credentials = `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
      const sessionId = await world.service.login(credentials);
      await memberPhone.scan(sessionId);
      await memberPhone.confirm(PIN);
      expect(await world.service.exchange(credentials, sessionId)).toEqual({ subjectId: expect.any(String) });
    });

    it('makes the first administrator one with every role, and then prints no link', async () => {
      expect((await world.call(admin, 'GET', '/portal/v1/session')).body).toMatchObject({ roles: ['read', 'support', 'operator', 'security'] });
      expect(await world.firstCode()).toBe('');
    });

    it('knows a person by a subjectId of its own client', async () => {
      const { subjectId } = (await world.call(admin, 'GET', '/portal/v1/session')).body;
      const { body } = await world.call(admin, 'GET', '/admin/v1/members');
      expect(body['members']).toEqual([expect.objectContaining({ subjectId, label: 'first-administrator' })]);
    });

    it('has registered its client when it starts, with codes that change', async () => {
      const { body } = await world.service.admin('GET', `/clients/${ownClientId()}`);
      const redirectUris = [`${world.origin}/portal/v1/callback`];
      expect(body).toMatchObject({ name: 'Countersign portal', dynamicQr: true, verificationCode: true, redirectUris });
      expect(JSON.stringify((await world.service.admin('GET', '/clients')).body)).not.toContain(ownClientId());
    });

    it('serves its page with a strict policy', async () => {
      const page = await fetch(`${world.origin}/portal/`);
      expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self'.*frame-ancestors 'none'/);
    });

    it('sets cookies that no script reads and no other site sends', async () => {
      const begun = await world.fetch(new Map(), 'POST', '/portal/v1/login', {});
      const [cookie = ''] = begun.headers.getSetCookie();
      expect(cookie).toMatch(/^svc_portal_login=.*; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    });
  });

  describe('a critical change', () => {
    it('is approved on the phone, which shows it in full, over HTTP', async () => {
      const clientId = await client('Approved');
      const path = `/admin/v1/clients/${clientId}`;
      const wanted = { redirect_uris: ['https://shop.example/first', 'https://shop.example/cb'] };
      const { status, body } = await world.callOnce(admin, 'PATCH', path, wanted);
      const approval = body['approval'] as { approvalId: string; title: string; verificationCode: string };
      expect([status, approval.title]).toEqual([202, 'Approved: new redirect URI shop.example/cb']);
      const completion = `/admin/v1/approvals/${approval.approvalId}/completion`;
      expect(await world.callOnce(admin, 'POST', completion)).toMatchObject({ status: 409, body: { errorCode: 'approval_not_signed' } });
      expect(await world.approve(adminPhone, approval)).toContain('New redirect URI: https://shop.example/cb');
      expect(await world.callOnce(admin, 'POST', completion)).toMatchObject({ status: 200, body: { redirectUris: wanted.redirect_uris } });
      expect(await world.callOnce(admin, 'POST', completion)).toMatchObject({ status: 404, body: { errorCode: 'approval_not_found' } });
    });
  });

  describe('an attack on the portal', () => {
    const refused = (reason: string): string => `${world.origin}/portal/#refused=${reason}`;

    it('with the printed link a second time makes no second administrator', async () => {
      const thief: Jar = new Map();
      expect(await world.logIn(thief, memberPhone, printed)).toBe(refused('invitation'));
      expect((await world.call(thief, 'GET', '/portal/v1/session')).status).toBe(401);
    });

    it('with a stolen invitation that was used makes no member', async () => {
      const code = await world.invite(admin, `/clients/${await client('Stolen')}/invitations`, { label: 'shop-owner' });
      await world.logIn(new Map(), memberPhone, code);
      expect(await world.logIn(new Map(), adminPhone, code)).toBe(refused('invitation'));
    });

    it('by a phone that was enrolled before the joining, or lately, begins no session', async () => {
      const identityId = await world.service.person('39001010004');
      const [earlier, joining] = [await world.service.enrol(identityId, 'Earlier'), await world.service.enrol(identityId, 'Joining')];
      const code = await world.invite(admin, `/clients/${await client('Phones')}/invitations`, { label: 'shop-owner' });
      expect(await world.logIn(new Map(), joining, code)).toBe(`${world.origin}/portal/`);
      const browser: Jar = new Map();
      expect(await world.logIn(browser, earlier)).toBe(refused('phone'));
      expect([...browser.keys()]).not.toContain('svc_portal');
    });

    it('by a person of no membership begins no session', async () => {
      const stranger: Jar = new Map();
      expect(await world.logIn(stranger, await world.phone('28021220003'))).toBe(refused('membership'));
      expect([...stranger.keys()]).not.toContain('svc_portal');
    });

    it('by a form of another site begins and ends nothing', async () => {
      for (const [method, path] of [
        ['POST', '/portal/v1/login'],
        ['DELETE', '/portal/v1/session'],
        ['POST', '/admin/v1/invitations'],
      ] as const)
        expect((await world.fetch(admin, method, path, {}, {})).status).toBe(403);
      expect((await world.call(admin, 'GET', '/portal/v1/session')).status).toBe(200);
    });

    it('with the callback of another browser begins no session', async () => {
      const callback = await world.callbackOf(new Map(), adminPhone);
      const victim: Jar = new Map();
      expect((await world.fetch(victim, 'GET', callback, undefined, {})).headers.get('location')).toBe(refused('login'));
      // Nor does it when the victim has begun a login: its state differs.
      await world.call(victim, 'POST', '/portal/v1/login', {});
      expect((await world.fetch(victim, 'GET', callback, undefined, {})).headers.get('location')).toBe(refused('login'));
      expect([...victim.keys()]).toEqual([]);
    });

    it('with a callback that was used begins no second session', async () => {
      const browser: Jar = new Map();
      const callback = await world.callbackOf(browser, adminPhone);
      const kept = new Map(browser);
      await world.fetch(browser, 'GET', callback, undefined, {});
      expect((await world.fetch(kept, 'GET', callback, undefined, {})).headers.get('location')).toBe(refused('login'));
    });

    it('with a planted session does not get the session of the victim: a login begins a new one', async () => {
      const attacker: Jar = new Map();
      await world.logIn(attacker, memberPhone);
      const planted = attacker.get('svc_portal') ?? '';
      const victim: Jar = new Map([['svc_portal', planted]]);
      await world.logIn(victim, adminPhone);
      expect(victim.get('svc_portal')).not.toBe(planted);
      expect((await world.call(attacker, 'GET', '/portal/v1/session')).body['roles']).toEqual([]);
    });

    it('with an address in the callback leads to the portal alone', async () => {
      const browser: Jar = new Map();
      const callback = `${await world.callbackOf(browser, adminPhone)}&return=https://evil.example&redirect=//evil.example`;
      expect((await world.fetch(browser, 'GET', callback, undefined, {})).headers.get('location')).toBe(`${world.origin}/portal/`);
    });

    it('with a photo of its code that is 60 s old is refused on the phone of an administrator', async () => {
      const attacker: Jar = new Map();
      const { sessionId, qrPayload: photo } = await world.begin(attacker);
      expect(new URL(photo).searchParams.get('sessionId')).toBe(sessionId);
      await world.advance(60);
      for (const relayed of [photo, sessionId])
        for (const via of ['qr', 'link', 'push'] as const)
          expect(await adminPhone.scan(relayed, { via })).toMatchObject({ status: 400, body: { errorCode: 'invalid_qr' } });
      expect((await world.complete(attacker, sessionId)).status).toBe(409);
      expect((await world.call(attacker, 'GET', '/portal/v1/session')).status).toBe(401);
    });

    it('with an altered cookie of a login is a login without one', async () => {
      const browser: Jar = new Map();
      const callback = await world.callbackOf(browser, adminPhone);
      browser.set('svc_portal_login', `${browser.get('svc_portal_login') ?? ''}x`);
      expect((await world.fetch(browser, 'GET', callback, undefined, {})).headers.get('location')).toBe(refused('login'));
    });

    it('with the cookie of a session that the person has ended is refused', async () => {
      const browser: Jar = new Map();
      await world.logIn(browser, adminPhone);
      const stolen = new Map(browser);
      expect((await world.call(browser, 'DELETE', '/portal/v1/session')).status).toBe(204);
      expect((await world.call(stolen, 'GET', '/portal/v1/session')).status).toBe(401);
      expect((await world.call(stolen, 'GET', '/admin/v1/clients')).status).toBe(401);
    });

    // The last one: this address may not log in for the rest of the minute.
    it('by many logins is stopped', async () => {
      const statuses = new Set<number>();
      for (let times = 0; times < 61 && !statuses.has(429); times += 1)
        statuses.add((await world.fetch(new Map(), 'POST', '/portal/v1/login', {})).status);
      expect(statuses).toContain(429);
    });
  });
});
