import { isDeepStrictEqual } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import {
  Browser,
  exchange,
  expectError,
  expectOk,
  SigningClient,
  pause,
  type Phone,
  RelyingParty,
  type Service,
  sharedService,
  Staff,
  topology,
} from '../../support/index.js';

/*
 * Each service answers for itself at /livez and /readyz, which the gateway does not forward, and the services of logins are ready without
 * Kafka and Redis. Engines that the environment names are not stopped.
 */
let service: Service;
let shop: RelyingParty;
let signingClient: SigningClient;
let phone: Phone;

beforeAll(async () => {
  service = await sharedService();
  shop = await RelyingParty.register(service);
  signingClient = await SigningClient.register(service);
  phone = await new Staff(service).newPhone();
});

const statusesAt = (path: string, names?: readonly string[]): Promise<Record<string, number>> =>
  Promise.all(
    topology!.replicas
      .filter(({ name }) => names === undefined || names.includes(name))
      .map(async ({ label, url }) => [label, (await exchange(url, { method: 'GET', path })).status] as const),
  ).then(Object.fromEntries);

const labels = (names?: readonly string[]): string[] =>
  topology!.replicas.filter(({ name }) => names === undefined || names.includes(name)).map(({ label }) => label);
const all = (status: number, names?: readonly string[]): Record<string, number> => Object.fromEntries(labels(names).map((label) => [label, status]));

/** Waits until all of them answer so. */
const become = async (path: string, expected: Record<string, number>, names?: readonly string[]): Promise<void> => {
  let last: Record<string, number> = {};
  const isSo = async (): Promise<boolean> => isDeepStrictEqual((last = await statusesAt(path, names)), expected);
  await eventually(isSo, { what: () => `${path} is ${JSON.stringify(expected)}, and not ${JSON.stringify(last)}`, within: 60_000 });
};

const LOGINS = ['session-api', 'login-bff', 'device-api', 'registry'];

const wholeLogins = async (): Promise<void> => {
  await shop.subjectOf(phone);
  const login = await shop.login({ hosted_page: true });
  const browser = new Browser(service);
  expectOk(await browser.claim(login.handoffToken));
  expectOk(await phone.scan(login.sessionId));
  expectOk(await phone.confirm(login.sessionId));
  expectOk(await browser.complete(login.sessionId));
};

describe('every replica of every service', () => {
  it('is alive and ready', async () => {
    expect(await statusesAt('/livez')).toEqual(all(200));
    await become('/readyz', all(200));
  });

  it.each(['BASE_URL', 'LOGIN_URL', 'APP_URL'])('reports this to its operator, and not on the public origins: %s', async (name) => {
    for (const path of ['/livez', '/readyz', '/metrics'])
      expect((await exchange(topology!.settings[name]!, { method: 'GET', path })).status).toBe(404);
  });
});

(topology?.kafka && topology.redis ? describe : describe.skip)('without Kafka and without Redis', () => {
  const { kafka, redis } = topology ?? {};
  beforeAll(() => Promise.all([kafka!.kill(), redis!.kill()]));
  afterAll(() => Promise.all([kafka!.start(), redis!.start()]), 90_000);

  it('the services of logins stay alive and ready, and complete logins succeed', async () => {
    for (const end = performance.now() + 6_000; performance.now() < end; await pause(500)) {
      expect(await statusesAt('/livez', LOGINS)).toEqual(all(200, LOGINS));
      expect(await statusesAt('/readyz', LOGINS)).toEqual(all(200, LOGINS));
      await wholeLogins();
    }
  });

  it('a signature waits for their return, and is completed then', async () => {
    const signing = await signingClient.confirmed(phone);
    expectError(await signingClient.client.result(signing), 409, 'not_signed');
    await Promise.all([kafka!.start(), redis!.start()]);
    expect(await signingClient.settled(signing)).toBe('COMPLETED');
    await become('/readyz', all(200));
  }, 120_000);
});

(topology && (!topology.store.isReal || process.env['ESDB_STOP']) ? describe : describe.skip)('without the event store', () => {
  afterAll(() => topology!.store.start());

  it('the services that need it are alive and not ready, and answer 503 with Retry-After, until it is back', async () => {
    const login = await shop.login();
    await topology!.store.kill();
    await become('/readyz', all(503, LOGINS), LOGINS);
    expect(await statusesAt('/livez')).toEqual(all(200));
    const answer = await shop.status(login);
    expectError(answer, 503, 'service_unavailable');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    await topology!.store.start();
    await become('/readyz', all(200));
    expect(await shop.statusOf(login, 'PENDING')).toBe('PENDING');
    await wholeLogins();
  }, 120_000);
});
