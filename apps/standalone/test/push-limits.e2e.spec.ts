import type { AddressInfo } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { Phone } from '#clients/software-phone';
import { type IdentityId, Secret, type SubjectId } from '#kernel';
import { portalClientId, type Registration } from '#domain/relying-party';
import { USUAL_STORES } from '#testkit/event-store/store-engines';
import { LOGIN, REDIRECT_URI } from '#testkit/session/login-request';
import { type TestPlatform, testPlatform } from '#testkit/platform/test-platform';

import { createDeviceApiApp } from '../../device-api/src/app.js';
import { createSessionApiApp } from '../../session-api/src/app.js';

const PIN = '1470';
/** None looks like another. */
const LETTERS = 'ABCDEFGHJKMNPQRTUVWX';
const MARI = { givenName: 'Mari', familyName: 'Maasikas', personalCode: '47101010033', dateOfBirth: '1971-01-01', country: 'EE' };

interface Shop extends Registration {
  readonly subjectId: SubjectId;
}

describe.each(USUAL_STORES)('the pushes of many clients to one person, over $engine', ({ open }) => {
  let platform: TestPlatform;
  let sessionApi: NestFastifyApplication;
  let deviceApi: NestFastifyApplication;
  let identityId: IdentityId;
  let phone: Phone;

  beforeEach(async () => {
    platform = await testPlatform({}, {}, open);
    sessionApi = await createSessionApiApp(platform);
    deviceApi = await createDeviceApiApp(platform);
    await deviceApi.listen(0, '127.0.0.1');
    identityId = await platform.useCases.identity().registerIdentity.execute(MARI);
    const { activationCode } = await platform.useCases.phones().issueActivationCode.execute(identityId);
    const baseUrl = `http://127.0.0.1:${(deviceApi.getHttpServer().address() as AddressInfo).port}`;
    const enrolment = { baseUrl, activationCode: activationCode.reveal(), name: 'Phone', platform: 'test', pin: PIN };
    phone = await Phone.enrol(enrolment, { clock: platform.clock });
  });
  afterEach(async () => {
    platform.stop();
    await sessionApi.close();
    await deviceApi.close();
    await platform.close();
  });

  const newShop = async (name: string): Promise<Shop> => {
    const terms = { name, redirectUris: [REDIRECT_URI], allowedAttributes: [], allowedPredicates: [], dynamicQr: false };
    const registration = await platform.useCases.relyingParties().registerClient.execute(terms);
    return { ...registration, subjectId: await platform.useCases.identity().linkSubject.execute(registration.clientId, identityId) };
  };
  const post = async (shop: Shop, more: object) => {
    const answer = await sessionApi.inject({
      method: 'POST',
      url: '/relying-party/v1/session',
      headers: { authorization: `Basic ${btoa(`${shop.clientId}:${shop.clientSecret.reveal()}`)}` },
      payload: { ...LOGIN, ...more },
    });
    return { status: answer.statusCode, headers: answer.headers, body: answer.json<Record<string, string>>() };
  };
  const push = (shop: Shop) => post(shop, { push: true, subject_id: shop.subjectId });
  const pushed = async (shop: Shop): Promise<string> => {
    const { status, body } = await push(shop);
    expect([status, body['pushStatus']]).toEqual([200, 'DISPATCHED']);
    return body['sessionId'] ?? '';
  };
  const decline = async (sessionId: string, reason: 'DECLINED' | 'LEFT' = 'DECLINED') => {
    expect((await phone.scan(sessionId)).status).toBe(200);
    expect((await phone.decline(reason, sessionId)).status).toBe(200);
  };
  const inbox = () => platform.eventStore.read<{ type: 'SessionPushed'; data: { quiet?: true } }>(`inbox-${identityId}` as never);
  const waking = async () => (await inbox()).filter(({ data }) => !data.quiet).length;
  const listed = async () => {
    const reply = await phone.pending();
    return reply.ok ? reply.body.sessions.map(({ sessionId }) => sessionId) : [];
  };

  it('wake the phones fifteen times in the window, and each client waits after a Decline', async () => {
    for (let index = 0; index < 20; index += 1) {
      const shop = await newShop(`Shop ${LETTERS[index]}`);
      await decline(await pushed(shop));
      for (let again = 0; again < 4; again += 1) {
        const { status, headers, body } = await push(shop);
        expect([status, body['errorCode'], headers['retry-after']]).toEqual([429, 'rate_limited', '60']);
      }
    }
    expect((await inbox()).length).toBe(20);
    expect(await waking()).toBe(15);
  });

  it('tells no client of another: beyond the limit of the person the answer is the same, and the phone lists the session', async () => {
    const first = await push(await newShop('First shop'));
    for (const name of ['One', 'Two', 'Three']) {
      const shop = await newShop(`Shop ${name}`);
      for (let times = 0; times < 5; times += 1) await pushed(shop);
    }
    expect(await waking()).toBe(15);
    const last = await push(await newShop('Last shop'));
    expect(await waking()).toBe(15);
    const shape = ({ status, headers, body }: typeof last) => [status, body['pushStatus'], Object.keys(body), Object.keys(headers).toSorted()];
    expect(shape(last)).toEqual(shape(first));
    expect(await listed()).toContain(last.body['sessionId']);
  });

  it('keep an approval of a change loud, whatever clients do', async () => {
    for (let index = 0; index < 16; index += 1) await pushed(await newShop(`Shop ${LETTERS[index]}`));
    expect((await inbox()).at(-1)?.data.quiet).toBe(true);
    const { clientId, subjectId } = await newShop('As the service');
    const change = { title: 'A change', details: 'A change in full', changeDigest: 'digest' };
    await platform.useCases.portalSessions().askApproval.execute({ clientId, subjectId, ...change });
    expect((await inbox()).at(-1)?.data.quiet).toBeUndefined();
  });

  it('wait twice as long after each Decline in a row, and from the beginning after a day', async () => {
    const shop = await newShop('Shop');
    const waits: number[] = [];
    for (let times = 0; times < 4; times += 1) {
      await decline(await pushed(shop));
      const seconds = Number((await push(shop)).headers['retry-after']);
      waits.push(seconds);
      platform.clock.advance((seconds - 1) * 1_000);
      expect((await push(shop)).status).toBe(429);
      platform.clock.advance(1_000);
    }
    expect(waits).toEqual([60, 120, 240, 480]);
    platform.clock.advance(24 * 3_600_000);
    await decline(await pushed(shop));
    expect((await push(shop)).headers['retry-after']).toBe('60');
  });

  it('are limited on the hosted page too, where the person asks for the request once more', async () => {
    const shop = await newShop('Shop');
    const hosted = await post(shop, { push: true, subject_id: shop.subjectId, hosted_page: true });
    const { claimHandoff, pushLoginAgain } = platform.useCases.loginPageSessions();
    const login = await claimHandoff.execute(hosted.body['handoffToken'] ?? '', [], {});
    await decline(await pushed(shop));
    await expect(pushLoginAgain.execute(login)).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 60 });
    platform.clock.advance(60_000);
    expect([await pushLoginAgain.execute(login), (await inbox()).at(-1)?.data.quiet]).toEqual(['DISPATCHED', undefined]);
    for (const letter of LETTERS.slice(0, 12)) await pushed(await newShop(`Shop ${letter}`));
    expect([await pushLoginAgain.execute(login), (await inbox()).at(-1)?.data.quiet]).toEqual(['DISPATCHED', true]);
    await phone.call('PUT', `/app/v1/blocked-clients/${shop.clientId}`);
    expect(await pushLoginAgain.execute(login)).toBe('NO_DEVICE');
  });

  it('do not wait for a person who leaves, nor twice as long for a repeated Decline', async () => {
    const shop = await newShop('Shop');
    await decline(await pushed(shop), 'LEFT');
    const sessionId = await pushed(shop);
    await decline(sessionId);
    await phone.decline('DECLINED', sessionId);
    expect((await push(shop)).headers['retry-after']).toBe('60');
  });

  it('do not wait after a Decline of a code: the client must not learn who has declined', async () => {
    const shop = await newShop('Shop');
    await decline((await post(shop, {})).body['sessionId'] ?? '');
    await pushed(shop);
  });

  describe('a blocked client', () => {
    it('gets NO_DEVICE and leaves the inbox; its codes work; the others go on', async () => {
      const [shop, other] = [await newShop('Shop'), await newShop('Other shop')];
      const [before, kept] = [await pushed(shop), await pushed(other)];
      for (let times = 0; times < 2; times += 1) expect((await phone.call('PUT', `/app/v1/blocked-clients/${shop.clientId}`)).status).toBe(204);
      expect(await listed()).toEqual([kept]);
      const blocked = await push(shop);
      expect([blocked.status, blocked.body['pushStatus']]).toEqual([200, 'NO_DEVICE']);
      expect((await phone.scan(before)).status).toBe(200);
      expect((await phone.call('GET', '/app/v1/blocked-clients')).body).toEqual({
        clients: [{ clientId: shop.clientId, relyingPartyName: 'Shop', blockedAt: Math.floor(platform.clock.now() / 1_000), reported: false }],
      });
      for (let times = 0; times < 2; times += 1) expect((await phone.call('DELETE', `/app/v1/blocked-clients/${shop.clientId}`)).status).toBe(204);
      await pushed(shop);
    });

    it('is found by a session that was declined', async () => {
      const shop = await newShop('Shop');
      const sessionId = await pushed(shop);
      await decline(sessionId);
      expect((await phone.call('GET', `/app/v1/session/${sessionId}/client`)).body).toEqual({ clientId: shop.clientId, relyingPartyName: 'Shop' });
    });

    it('is reported to the operator once', async () => {
      const { clientId } = await newShop('Shop');
      await phone.call('PUT', `/app/v1/blocked-clients/${clientId}`);
      for (let times = 0; times < 3; times += 1) expect((await phone.call('PUT', `/app/v1/blocked-clients/${clientId}/report`)).status).toBe(204);
      expect((await platform.metrics.clientReports.get()).values).toEqual([expect.objectContaining({ value: 1 })]);
    });

    it('is none that does not exist', async () => {
      for (const clientId of ['x', platform.randomness.uuid()]) {
        const refused = await phone.call('PUT', `/app/v1/blocked-clients/${clientId}`);
        expect([refused.status, refused.body]).toMatchObject([404, { errorCode: 'client_not_found' }]);
      }
      // The block of a client that is deleted can be taken back.
      const statuses = async (clientId: string): Promise<number> => (await phone.call('DELETE', `/app/v1/blocked-clients/${clientId}`)).status;
      expect([await statuses('x'), await statuses(platform.randomness.uuid())]).toEqual([404, 204]);
    });

    it('is not the service itself', async () => {
      const terms = { redirectUris: [REDIRECT_URI], allowedAttributes: [], allowedPredicates: [], dynamicQr: true };
      await platform.useCases.relyingParties().keepOwnClient.execute(terms, new Secret('secret of the portal'));
      const clientId = portalClientId(platform.keys.index, platform.settings.environment);
      expect((await phone.call('PUT', `/app/v1/blocked-clients/${clientId}`)).status).toBe(400);
    });
  });
});
