import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';

import { generateKeyFiles, KeyDirectory, rotateSubjectKey } from '#service/config';
import { Phone, qrPayload } from '#clients/software-phone';
import { type ClientId, type IdentityId, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { eventually } from '#testkit/kernel/eventually';
import { type TestPlatform, testPlatform } from '#testkit/platform/test-platform';
import { RelyingPartyClient } from '#clients/relying-party';
import { SilentLog } from '#telemetry';

import { createDeviceApiApp } from '../../device-api/src/app.js';
import { createSessionApiApp } from '../../session-api/src/app.js';
import { createWebhookDispatcherApp } from '../../webhook-dispatcher/src/app.js';

const DAY = 86_400_000;
const LEAD = 600_000;
const PIN = '1470';
const REDIRECT_URI = 'https://shop.example/callback';
const MARI = { givenName: 'Mari', familyName: 'Maasikas', personalCode: '47101010033', dateOfBirth: '1971-01-01', country: 'EE' };

let directory: string;
let clock: FixedClock;
let keys: KeyDirectory;
let platform: TestPlatform;
let closing: (() => Promise<unknown>)[];
let shop: RelyingPartyClient;
let phone: Phone;

const listen = async (create: typeof createSessionApiApp): Promise<string> => {
  const app = await create(platform);
  await app.listen(0, '127.0.0.1');
  closing.push(() => app.close());
  return `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
};
const newClient = async (name: string, baseUrl: string): Promise<RelyingPartyClient> => {
  const terms = { name, redirectUris: [REDIRECT_URI], allowedAttributes: [], allowedPredicates: [], dynamicQr: false };
  const { clientId, clientSecret } = await platform.useCases.relyingParties().registerClient.execute(terms);
  return new RelyingPartyClient({ baseUrl, clientId, clientSecret: clientSecret.reveal(), retries: 0 });
};
const newPhone = async (identityId: IdentityId, baseUrl: string): Promise<Phone> => {
  const { activationCode } = await platform.useCases.phones().issueActivationCode.execute(identityId);
  return Phone.enrol({ baseUrl, activationCode: activationCode.reveal(), name: 'Phone', platform: 'test', pin: PIN }, { clock });
};
/** A login from the session to the subjectId, on the phone. */
const logIn = async (client: RelyingPartyClient, subjectId?: string): Promise<string> => {
  const login = await client.beginLogin({ redirectUri: REDIRECT_URI, ...(subjectId !== undefined && { subjectId }) });
  await phone.scan(qrPayload('countersign', login.sessionId, REDIRECT_URI));
  await phone.confirm(PIN);
  const redirect = new URL(await client.complete(login.sessionId));
  return (await client.finishLogin(login, redirect.searchParams)).subjectId;
};
const push = async (subjectId: string) => (await shop.beginLogin({ redirectUri: REDIRECT_URI, subjectId, push: true })).pushStatus;
const rotate = async (until = clock.now() + 30 * DAY): Promise<void> => {
  await rotateSubjectKey(directory, { until }, { clock, randomness: new SystemRandomness() });
  await keys.reread();
};

beforeEach(async () => {
  closing = [];
  directory = await mkdtemp(join(tmpdir(), 'subject-migration-'));
  clock = new FixedClock();
  const randomness = new SystemRandomness();
  await generateKeyFiles(directory, { clock, randomness });
  keys = await KeyDirectory.open({ path: directory, clock, randomness, log: new SilentLog(), guarded: true });
  platform = await testPlatform({}, { clock, keys });
  const baseUrl = await listen(createSessionApiApp);
  shop = await newClient('Shop', baseUrl);
  phone = await newPhone(await platform.useCases.identity().registerIdentity.execute(MARI), await listen(createDeviceApiApp));
});
afterEach(async () => {
  platform.stop();
  for (const close of closing) await close();
  keys[Symbol.dispose]();
  await platform.close();
  await rm(directory, { recursive: true });
});

describe('a relying party, while the service rotates its subject key', () => {
  it('learns of no change before the rotation', async () => {
    await logIn(shop);
    expect(await shop.subjectMigrations()).toEqual({ subjects: [] });
  });

  it('migrates its accounts by one fetch, knows its person before and after the change, and may use both values until the end', async () => {
    const former = await logIn(shop);
    const accounts = new Map([[former, 'account of Mari']]);
    const until = clock.now() + 30 * DAY;
    await rotate(until);

    const { subjects, ...page } = await shop.subjectMigrations();
    expect(page).toEqual({ changesAt: (clock.now() + LEAD) / 1000, endsAt: until / 1000 });
    for (const { formerSubjectId, subjectId } of subjects) accounts.set(subjectId, accounts.get(formerSubjectId) ?? 'unknown');
    const [next = ''] = subjects.map(({ subjectId }) => subjectId);
    expect(subjects).toEqual([{ formerSubjectId: former, subjectId: expect.not.stringMatching(former) }]);
    expect([await logIn(shop), await push(former), await push(next)]).toEqual([former, 'DISPATCHED', 'DISPATCHED']);

    clock.advance(LEAD);
    expect(await logIn(shop)).toBe(next);
    expect(accounts.get(await logIn(shop, former))).toBe('account of Mari');
    expect(await logIn(shop, next)).toBe(next);
    expect([await push(former), await push(next)]).toEqual(['DISPATCHED', 'DISPATCHED']);

    clock.advance(30 * DAY);
    expect([await push(former), await push(next)]).toEqual(['NO_DEVICE', 'DISPATCHED']);
    const meant = await shop.beginLogin({ redirectUri: REDIRECT_URI, subjectId: former });
    const refused = await phone.scan(qrPayload('countersign', meant.sessionId, REDIRECT_URI));
    expect(refused).toMatchObject({ status: 403, body: { errorCode: 'subject_not_allowed' } });
    expect(await shop.subjectMigrations()).toEqual({ subjects: [] });
    expect(await logIn(shop)).toBe(next);
  });

  it('has its pushes to one person counted together, by either value', async () => {
    const former = await logIn(shop);
    await rotate();
    const [next = ''] = (await shop.subjectMigrations()).subjects.map(({ subjectId }) => subjectId);
    for (const subjectId of [former, next, former, next, former]) await push(subjectId);
    await expect(push(next)).rejects.toMatchObject({ name: 'RateLimited' });
    await expect(push(former)).rejects.toMatchObject({ name: 'RateLimited' });
  });

  it('that is registered meanwhile has nothing to migrate once the new key has begun', async () => {
    await logIn(shop);
    await rotate();
    clock.advance(LEAD);
    const newcomer = await newClient('Newcomer', shop.baseUrl);
    const first = await logIn(newcomer);
    expect((await newcomer.subjectMigrations()).subjects).toEqual([]);
    expect(await logIn(newcomer)).toBe(first);
  });

  it('sees its own accounts alone, and no cursor of another client', async () => {
    const former = await logIn(shop);
    const other = await newClient('Other', shop.baseUrl);
    const otherFormer = await logIn(other);
    await rotate();
    expect((await shop.subjectMigrations()).subjects.map(({ formerSubjectId }) => formerSubjectId)).toEqual([former]);
    await expect(shop.subjectMigrations({ after: otherFormer })).rejects.toMatchObject({ name: 'InvalidRequest' });
    await expect(shop.subjectMigrations({ after: 'nonsense' })).rejects.toMatchObject({ name: 'InvalidRequest' });
    const foreign = new RelyingPartyClient({ baseUrl: shop.baseUrl, clientId: shop.clientId, clientSecret: 'wrong', retries: 0 });
    await expect(foreign.subjectMigrations()).rejects.toMatchObject({ name: 'ClientAuthenticationFailed' });
  });

  it('is told that the person logs out on the phone, by the value of the moment, also where it has only seen the former one', async () => {
    const told: unknown[] = [];
    const relyingParty = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      request.on('end', () => {
        told.push(decodeJwt(new URLSearchParams(text).get('logout_token') ?? '').sub);
        response.writeHead(204).end();
      });
    }).listen(0, '127.0.0.1');
    await once(relyingParty, 'listening');
    closing.push(async () => relyingParty.close());
    const dispatcher = await createWebhookDispatcherApp(platform);
    closing.push(() => dispatcher.close());
    const [known, stranger] = [shop, await newClient('Stranger', shop.baseUrl)].map(({ clientId }) => clientId as ClientId);
    const backchannelLogoutUri = `http://127.0.0.1:${(relyingParty.address() as AddressInfo).port}/logout`;
    for (const clientId of [known!, stranger!]) await platform.useCases.relyingParties().changeClient.execute(clientId, { backchannelLogoutUri });
    const logOut = async (clientId?: string) => (await phone.call('POST', `/app/v1/clients/${clientId}/logout`)).status;

    const former = await logIn(shop);
    await rotate();
    const [next] = (await shop.subjectMigrations()).subjects.map(({ subjectId }) => subjectId);
    expect([await logOut(known), await logOut(stranger)]).toEqual([204, 404]);
    await eventually(() => told.length === 1);
    for (const passes of [LEAD, 30 * DAY]) {
      clock.advance(passes);
      expect([await logOut(known), await logOut(stranger)]).toEqual([204, 404]);
    }
    await eventually(() => told.length === 3);
    expect(told).toEqual([former, next, next]);
  });
});
