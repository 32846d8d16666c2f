import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { jest } from '@jest/globals';
import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose';

import { Phone } from '#clients/software-phone';
import type { PersonalData } from '#domain/identity';
import type { Registration } from '#domain/relying-party';
import { type DeliveryEvent, deliveryLogStream, noticeEndpoint } from '#domain/webhook';
import { type ClientId, type IdentityId, ServiceUnavailable } from '#kernel';
import { USUAL_STORES } from '#testkit/event-store/store-engines';
import { eventually } from '#testkit/kernel/eventually';
import { type SessionFixture, sessionFixture } from '#testkit/platform/session-fixture';

import { createDeviceApiApp } from '../../device-api/src/app.js';
import { createWebhookDispatcherApp } from '../../webhook-dispatcher/src/app.js';

const PIN = '1470';
const BOB: PersonalData = { givenName: 'Bob', familyName: 'Builder', personalCode: 'B-1', dateOfBirth: '1990-05-05', country: 'FI' };
const MINUTE = 60_000;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

describe.each(USUAL_STORES)('a person who logs out at a relying party on the phone, over $engine', ({ open }) => {
  let world: SessionFixture;
  let apps: readonly { close(): Promise<unknown> }[];
  let baseUrl: string;
  /** Of the relying parties. */
  let server: Server;
  let tokens: string[];
  let mari: Phone;

  beforeEach(async () => {
    tokens = [];
    server = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      request.on('end', () => {
        tokens.push(new URLSearchParams(text).get('logout_token') ?? '');
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    world = await sessionFixture({}, {}, open);
    const deviceApi = await createDeviceApiApp(world.platform);
    apps = [deviceApi, await createWebhookDispatcherApp(world.platform)];
    await deviceApi.listen(0, '127.0.0.1');
    baseUrl = `http://127.0.0.1:${(deviceApi.getHttpServer().address() as AddressInfo).port}`;
    mari = await phoneOf(world.identityId);
    for (const { clientId } of [world.client, world.other]) await registered(clientId);
  });
  afterEach(async () => {
    world.platform.stop();
    for (const app of apps) await app.close();
    await world.platform.close();
    server.close();
  });

  const phoneOf = async (identityId: IdentityId): Promise<Phone> => {
    const { activationCode } = await world.platform.useCases.phones().issueActivationCode.execute(identityId);
    const enrolment = { baseUrl, activationCode: activationCode.reveal(), name: 'Phone', platform: 'test', pin: PIN };
    return Phone.enrol(enrolment, { clock: world.platform.clock });
  };
  const bob = async () => {
    const identityId = await world.platform.useCases.identity().registerIdentity.execute(BOB);
    return { identityId, phone: await phoneOf(identityId) };
  };
  const registered = (clientId: ClientId, backchannelLogoutUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/logout`) =>
    world.platform.useCases.relyingParties().changeClient.execute(clientId, { backchannelLogoutUri });
  /** The person has logged in at the client. Answers what the client calls the person. */
  const linked = ({ clientId }: Registration = world.client, identityId = world.identityId) =>
    world.platform.useCases.identity().linkSubject.execute(clientId, identityId);
  const logOut = async (clientId: string = world.client.clientId, phone = mari) => {
    const { status, body } = await phone.call('POST', `/app/v1/clients/${clientId}/logout`);
    const { errorCode } = (body ?? {}) as { readonly errorCode?: string };
    return errorCode === undefined ? status : [status, errorCode];
  };
  /** What the service has recorded of the logout tokens to the client. */
  const log = async ({ clientId }: Registration = world.client): Promise<readonly string[]> => {
    const events = await world.platform.eventStore.read<DeliveryEvent>(deliveryLogStream(noticeEndpoint(clientId, 'openid.logout')));
    return events.map(({ type, data }) => ('end' in data ? `${type} ${data.end}` : type));
  };
  const wishes = async (identityId = world.identityId) => {
    const events = await world.platform.eventStore.read(`personlimits-${identityId}` as never);
    return events.map(({ type, data }) => [type, (data as { loggedOut?: unknown }).loggedOut]);
  };
  const arrived = (count: number) => eventually(async () => tokens.length === count && (await log()).length === 2 * count);
  const verified = async (token: string | undefined, { clientId }: Registration = world.client): Promise<JWTPayload> => {
    const { platform } = world;
    const keys = createLocalJWKSet({ keys: platform.useCases.openid().signingKeys.published() as never });
    const options = { issuer: platform.settings.issuerUrl, audience: clientId, typ: 'logout+jwt', currentDate: new Date(platform.clock.now()) };
    return (await jwtVerify(token ?? '', keys, options)).payload;
  };

  it('sends one logout token there, by the name that the relying party knows, and none elsewhere', async () => {
    const sub = await linked();
    await linked(world.other);
    expect(await logOut()).toBe(204);
    await arrived(1);
    expect(await log()).toEqual(['DeliveryAdded', 'DeliveryAttempted succeeded']);
    expect(await verified(tokens[0])).toMatchObject({ sub, events: { 'http://schemas.openid.net/event/backchannel-logout': {} } });
    expect(await log(world.other)).toEqual([]);
    expect(await wishes()).toEqual([['PersonLimitsKept', [{ clientId: world.client.clientId, at: world.platform.clock.now() }]]]);
  });

  it('is told once of by forty calls at once and by repetitions, and once more after a minute', async () => {
    await linked();
    const second = await phoneOf(world.identityId);
    const calls = Array.from({ length: 40 }, (_, index) => logOut(world.client.clientId, index % 2 === 0 ? mari : second));
    expect(new Set(await Promise.all(calls))).toEqual(new Set([204]));
    world.platform.clock.advance(MINUTE - 1);
    expect(await logOut()).toBe(204);
    await arrived(1);
    world.platform.clock.advance(1);
    expect(await logOut()).toBe(204);
    await arrived(2);
    expect(await wishes()).toEqual([['PersonLimitsKept', [{ clientId: world.client.clientId, at: world.platform.clock.now() }]]]);
  });

  it('keeps what the person has blocked', async () => {
    await linked();
    expect((await mari.call('PUT', `/app/v1/blocked-clients/${world.other.clientId}`)).status).toBe(204);
    expect(await logOut()).toBe(204);
    const { blocked, loggedOut } = await world.platform.useCases.identity().personLimits.of(world.identityId);
    expect([blocked.length, loggedOut?.length]).toEqual([1, 1]);
    expect((await mari.call('DELETE', `/app/v1/blocked-clients/${world.other.clientId}`)).status).toBe(204);
    expect((await world.platform.useCases.identity().personLimits.of(world.identityId)).loggedOut).toHaveLength(1);
  });

  it('cannot log another person out: a phone speaks for its own person alone', async () => {
    await linked();
    const { identityId, phone } = await bob();
    expect(await logOut(world.client.clientId, phone)).toEqual([404, 'client_not_found']);
    expect([tokens, await log(), await wishes(identityId), await wishes()]).toEqual([[], [], [], []]);
    const ofBob = await linked(world.client, identityId);
    expect(await logOut(world.client.clientId, phone)).toBe(204);
    await arrived(1);
    expect((await verified(tokens[0])).sub).toBe(ofBob);
    expect(await wishes()).toEqual([]);
  });

  it('learns nothing of a relying party that does not know the person, and of none that is unknown or deleted', async () => {
    await linked(world.other);
    await world.platform.useCases.relyingParties().deleteClient.execute(world.other.clientId);
    for (const clientId of [world.client.clientId, world.other.clientId, UNKNOWN, 'nonsense'])
      expect(await logOut(clientId)).toEqual([404, 'client_not_found']);
    expect(await wishes()).toEqual([]);
  });

  it('is told clearly where a relying party takes no log-outs: without an address, and while it is disabled', async () => {
    const { enableClient } = world.platform.useCases.relyingParties();
    await linked();
    await registered(world.client.clientId, '');
    expect(await logOut()).toEqual([409, 'logout_not_supported']);
    await registered(world.client.clientId);
    await enableClient.execute(world.client.clientId, false);
    expect(await logOut()).toEqual([409, 'logout_not_supported']);
    expect([await log(), await wishes()]).toEqual([[], []]);
  });

  it('cannot do it on a locked phone', async () => {
    await linked();
    const sessionId = await world.begin(world.client.clientId);
    const scanned = await mari.scan(sessionId);
    if (!scanned.ok) throw new Error(`not scanned: ${scanned.status}`);
    for (let times = 0; times < 3; times += 1) expect((await mari.confirm('0000', scanned.body)).status).toBe(403);
    expect(await logOut()).toEqual([423, 'device_locked']);
    expect(await wishes()).toEqual([]);
  });

  it('is logged out everywhere by the erasure, after which no phone of hers speaks', async () => {
    const sub = await linked();
    expect(await logOut()).toBe(204);
    await arrived(1);
    await world.platform.useCases.erasures().eraseIdentity.execute(world.identityId);
    await arrived(2);
    expect(await Promise.all(tokens.map(async (token) => (await verified(token)).sub))).toEqual([sub, sub]);
    expect(await logOut()).toEqual([401, 'invalid_device_proof']);
    expect(await wishes()).toEqual([]);
  });

  it('goes on with the same wish after the bus was away', async () => {
    await linked();
    const send = jest.spyOn(world.platform.messageBus, 'send').mockRejectedValueOnce(new ServiceUnavailable('the bus does not answer'));
    expect(await logOut()).toEqual([503, 'service_unavailable']);
    const before = await wishes();
    world.platform.clock.advance(MINUTE - 1);
    expect(await logOut()).toBe(204);
    await arrived(1);
    expect(await wishes()).toEqual(before);
    send.mockRestore();
  });

  it('is offered it by the scan of a login, where the relying party takes log-outs', async () => {
    const scanned = async (sessionId: string) => ((await mari.scan(sessionId)).body as { readonly logoutClientId?: string }).logoutClientId;
    const sessionId = await world.begin(world.client.clientId);
    expect([await scanned(sessionId), await scanned(sessionId)]).toEqual([world.client.clientId, world.client.clientId]);
    await registered(world.other.clientId, '');
    expect(await scanned(await world.begin(world.other.clientId))).toBeUndefined();
  });
});
