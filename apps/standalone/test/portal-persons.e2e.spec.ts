import { createHmac } from 'node:crypto';

import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { Phone } from '#clients/software-phone';

import { type Jar, PortalWorld } from './portal.fixture.js';
import { PIN } from './release-data.fixture.js';

// A start of the whole service, on a busy machine.
jest.setTimeout(120_000);

/** The rights of persons in the portal over HTTP alone: what a browser, a phone and the staff can do. */
describe('a member of the portal', () => {
  let world: PortalWorld;
  let admin: Jar;
  let adminPhone: Phone;
  let member: Jar;
  let memberId: string;
  let phone: Phone;
  let clientId: string;
  let persons = 0;

  beforeAll(async () => {
    // Another phone of a member acts at once here; apps/registry/test/members-phones.e2e.spec.ts has the wait.
    world = await PortalWorld.start({ PORTAL_PHONE_WAIT: '0' });
    [admin, adminPhone] = [new Map(), await world.phone('48001010001')];
    await world.logIn(admin, adminPhone, await world.firstCode());
    const terms = { name: 'Shop', redirect_uris: ['https://shop.example/back'], allowed_attributes: [], allowed_predicates: [] };
    clientId = (await world.call(admin, 'POST', '/admin/v1/clients', terms)).body['clientId'] as string;
  });
  afterAll(() => world.close());

  beforeEach(async () => {
    persons += 1;
    memberId = await world.service.person(`4900101${String(persons).padStart(4, '0')}`);
    phone = await world.service.enrol(memberId, 'Phone');
    member = new Map();
    await world.logIn(member, phone, await world.invite(admin, `/clients/${clientId}/invitations`, { label: 'shop-owner', role: 'owner' }));
  });

  const sees = async (jar: Jar = member): Promise<readonly number[]> => [
    (await world.call(jar, 'GET', '/portal/v1/session')).status,
    (await world.call(jar, 'GET', `/admin/v1/clients/${clientId}`)).status,
  ];
  const pinProof = (by: Phone): object => {
    const key = Buffer.from(by.toJSON().keys.pinKey, 'base64url');
    return { pin_proof: createHmac('sha256', key).update(PIN).digest('base64url') };
  };

  it('is the person of a session as long as the phone of the login is enrolled, and no answer names that phone', async () => {
    expect(await sees()).toEqual([200, 200]);
    for (const path of ['/portal/v1/session', `/admin/v1/clients/${clientId}/members`])
      expect(JSON.stringify((await world.call(member, 'GET', path)).body)).not.toContain(phone.deviceId);
  });

  it('has no session after staff revoked the phone, and logs in again with another one', async () => {
    expect((await world.call(admin, 'DELETE', `/admin/v1/identities/${memberId}/devices/${phone.deviceId}`)).status).toBe(204);
    expect(await sees()).toEqual([401, 401]);
    const again: Jar = new Map();
    await world.logIn(again, await world.service.enrol(memberId, 'Another phone'));
    expect(await sees(again)).toEqual([200, 200]);
  });

  it('has no session after the phone left', async () => {
    expect((await phone.call('DELETE', '/app/v1/device')).status).toBe(204);
    expect(await sees()).toEqual([401, 401]);
  });

  it('has no session of a phone that another phone of the person revoked; that of the other one stays, and the invitations of the first are void', async () => {
    const other = await world.service.enrol(memberId, 'Another phone');
    const second: Jar = new Map();
    await world.logIn(second, other);
    const code = await world.invite(member, `/clients/${clientId}/invitations`, { label: 'back-door' });
    expect((await other.call('POST', `/app/v1/devices/${phone.deviceId}/revoke`, pinProof(other))).status).toBe(204);
    expect(await sees()).toEqual([401, 401]);
    expect(await sees(second)).toEqual([200, 200]);
    expect(await world.logIn(new Map(), adminPhone, code)).toBe(`${world.origin}/portal/#refused=invitation`);
  });

  it('has neither a session nor a membership after the erasure', async () => {
    const { body } = await world.call(member, 'GET', '/portal/v1/session');
    expect((await world.call(admin, 'DELETE', `/admin/v1/identities/${memberId}`)).status).toBe(204);
    expect(await sees()).toEqual([401, 401]);
    const team = await world.call(admin, 'GET', `/admin/v1/clients/${clientId}/members`);
    expect(JSON.stringify(team.body)).not.toContain(String(body['subjectId']));
  });

  it('is not replaced by `support`, which gets no activation code of the member and cannot use one from before', async () => {
    const { token } = (
      await world.service.admin('POST', '/admin-tokens', {
        name: `help-desk-${persons}`,
        role: 'support',
        expires_at: Math.floor(world.service.standalone.platform.clock.now() / 1000) + 3_600,
      })
    ).body;
    const issue = (identityId: string) =>
      world.service.call('POST', `/admin/v1/identities/${identityId}/activation-codes`, `Bearer ${String(token)}`);
    expect(await issue(memberId)).toMatchObject({ status: 403, body: { errorCode: 'forbidden' } });

    const newcomer = await world.service.person(`5900101${String(persons).padStart(4, '0')}`);
    const before = await issue(newcomer);
    const own = await world.service.enrol(newcomer, 'Own phone');
    await world.logIn(new Map(), own, await world.invite(admin, `/clients/${clientId}/invitations`, { label: 'shop-owner' }));
    const { origin: baseUrl, standalone } = world.service;
    const attack = { baseUrl, activationCode: String(before.body['activationCode']), name: 'Phone of the help desk', platform: 'test', pin: PIN };
    const refused = { reply: { status: 400, body: { errorCode: 'invalid_activation_code' } } };
    await expect(Phone.enrol(attack, { clock: standalone.platform.clock })).rejects.toMatchObject(refused);
  });
});
