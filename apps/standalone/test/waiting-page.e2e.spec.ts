import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { Phone, type ScannedSession } from '#clients/software-phone';
import { streamName } from '#engines/event-store';
import { STORE_ENGINES, type StoreEngine } from '#testkit/event-store/store-engines';
import { LocatingTokens, type SessionId } from '#kernel';
import { sessionFixture } from '#testkit/platform/session-fixture';

import { createDeviceApiApp } from '../../device-api/src/app.js';
import { createLoginBffApp } from '../../login-bff/src/app.js';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0';
const HOME = '192.0.2.1';
const ELSEWHERE = '198.51.100.7';
const PROXY = '10.0.0.1';

type Headers = Readonly<Record<string, string>>;
interface Origin {
  readonly from: string;
  readonly headers?: Headers;
}

/** The hosted page and the phones over one store, without a network: each request says where it comes from. */
const loginService = async (environment: Headers = {}, openStore?: StoreEngine['open']) => {
  const fixture = await sessionFixture({}, environment, openStore);
  const { platform, client, identityId } = fixture;
  const [loginBff, deviceApi] = [await createLoginBffApp(platform), await createDeviceApiApp(platform)];
  const fetchFrom =
    (app: NestFastifyApplication, origin: () => Origin): typeof fetch =>
    async (input, init) => {
      const request = new Request(input, init);
      const { from, headers } = origin();
      const answer = await app.inject({
        method: request.method as 'POST',
        url: new URL(request.url).pathname,
        headers: { ...Object.fromEntries(request.headers), ...headers },
        payload: Buffer.from(await request.arrayBuffer()),
        remoteAddress: from,
      });
      return new Response(answer.body, { status: answer.statusCode, headers: answer.headers as Record<string, string> });
    };
  let phoneAt: Origin = { from: HOME };
  const activationCode = (await platform.useCases.phones().issueActivationCode.execute(identityId)).activationCode.reveal();
  const enrolment = { baseUrl: 'http://localhost:3000', activationCode, name: 'Phone', platform: 'test', pin: '1470' };
  const phone = await Phone.enrol(enrolment, { clock: platform.clock, fetch: fetchFrom(deviceApi, () => phoneAt) });

  const claimed = async ({ from, headers = {} }: Origin): Promise<SessionId> => {
    const sessionId = await fixture.begin(client.clientId, { handoffExpiresAt: platform.clock.now() + 60_000 });
    const [created] = await platform.eventStore.read(streamName('session', sessionId));
    const handoffToken = new LocatingTokens(platform.keys.token, 'handoff-token').make(sessionId, created?.id ?? '');
    const sent = { 'x-service-login': '1', 'user-agent': FIREFOX, ...headers };
    const claim = { method: 'POST', url: '/login-ui/v1/session/claim', headers: sent, payload: { handoffToken }, remoteAddress: from } as const;
    expect((await loginBff.inject(claim)).statusCode).toBe(200);
    return sessionId;
  };
  const scan = async (sessionId: SessionId, origin: Origin): Promise<ScannedSession> => {
    phoneAt = origin;
    const reply = await phone.scan(sessionId);
    if (!reply.ok) throw new Error(`the scan is refused: ${reply.status}`);
    return reply.body;
  };
  return {
    platform,
    claimed,
    scan,
    /** The facts about the page at `page` that a phone at `scanner` is told. */
    shown: async (page: Origin, scanner: Origin) => (await scan(await claimed(page), scanner)).waitingPage,
    close: async () => {
      platform.stop();
      await Promise.all([loginBff.close(), deviceApi.close()]);
      await platform.close();
    },
  };
};

const told = { browser: 'Firefox', system: 'Windows' };

describe.each(STORE_ENGINES)('the scan of a hosted login, on $engine', ({ open }) => {
  let service: Awaited<ReturnType<typeof loginService>>;
  beforeAll(async () => {
    service = await loginService({}, open);
  });
  afterAll(() => service.close());

  it('tells that the page is in the network of the phone', async () => {
    expect(await service.shown({ from: HOME }, { from: HOME })).toEqual({ ...told, sameNetwork: true });
  });

  it('tells that the page is in another network: perhaps an attacker has begun this login', async () => {
    expect(await service.shown({ from: ELSEWHERE }, { from: HOME })).toEqual({ ...told, sameNetwork: false });
  });

  it('tells of the network at each scan anew, and repeats all else', async () => {
    const sessionId = await service.claimed({ from: HOME });
    const [first, second] = [await service.scan(sessionId, { from: HOME }), await service.scan(sessionId, { from: ELSEWHERE })];
    expect(second).toEqual({ ...first, waitingPage: { ...told, sameNetwork: false } });
  });

  it.each([
    ['a page', { from: HOME, headers: { 'x-forwarded-for': HOME } }, { from: HOME }],
    ['a phone', { from: HOME }, { from: HOME, headers: { forwarded: `for=${HOME}` } }],
    ['an IPv6 page', { from: '2001:db8::1' }, { from: HOME }],
  ])('tells nothing of the network where it is not known: of %s', async (_, page, phone) => {
    expect(await service.shown(page, phone)).toEqual(told);
  });

  it('tells nothing of a browser that it does not know', async () => {
    const page = { from: HOME, headers: { 'user-agent': `<b>${'x'.repeat(4000)}` } };
    expect(await service.shown(page, { from: HOME })).toEqual({ sameNetwork: true });
  });

  it('leaves no address and no header in the store, nor what was told of them in clear', async () => {
    const sessionId = await service.claimed({ from: ELSEWHERE });
    await service.scan(sessionId, { from: HOME });
    const stored = JSON.stringify(await service.platform.eventStore.read(streamName('session', sessionId)), (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    for (const text of [HOME, ELSEWHERE, 'Mozilla', 'Firefox', 'Windows', 'sameNetwork']) expect(stored).not.toContain(text);
  });
});

describe('the scan of a hosted login, behind a proxy of TRUSTED_PROXIES', () => {
  let service: Awaited<ReturnType<typeof loginService>>;
  beforeAll(async () => {
    service = await loginService({ TRUSTED_PROXIES: '10.0.0.0/8' });
  });
  afterAll(() => service.close());
  const through = (forwarded: string): Origin => ({ from: PROXY, headers: { 'x-forwarded-for': forwarded } });

  it('goes by the addresses that the proxy has seen', async () => {
    expect(await service.shown(through(HOME), through(HOME))).toEqual({ ...told, sameNetwork: true });
    expect(await service.shown(through(ELSEWHERE), through(HOME))).toEqual({ ...told, sameNetwork: false });
  });

  it('is not deceived by a browser that claims the address of the victim', async () => {
    expect(await service.shown(through(`${HOME}, ${ELSEWHERE}`), through(HOME))).toEqual({ ...told, sameNetwork: false });
  });

  it('tells nothing where both go round the proxy, or where it names no caller', async () => {
    expect(await service.shown({ from: HOME }, { from: HOME })).toEqual(told);
    expect(await service.shown({ from: PROXY }, { from: PROXY })).toEqual(told);
  });
});
