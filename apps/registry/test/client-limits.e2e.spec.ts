import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PNG } from 'pngjs';

import type { HttpApp } from '#service/http';
import type { ClientId, EndpointId } from '#kernel';
import { testPlatform } from '#testkit/platform/test-platform';
import { MemoryRateLimits } from '#engines/rate-limit';
import { ChangeLogo, relyingPartyRepositories } from '#domain/relying-party';
import { PingWebhookEndpoint, RecoverDeliveries } from '#domain/webhook';
import { confirmEndpoint } from '#testkit/webhook/confirm-endpoint';
import { ownAllEndpoints } from '#testkit/webhook/own-endpoints';

import { createRegistryApp } from '../src/app.js';
import { ClientLimits } from '../src/client-limits.js';
import { type Answer, registryFixture, UNREGISTERED } from './registry.fixture.js';

let api: Awaited<ReturnType<typeof registryFixture>>;
let clientId: string;
let endpointId: string;
/** Ends the work of the endpoints' owner. */
let leave: () => void;
beforeEach(async () => {
  api = await registryFixture(await testPlatform());
  const dispatch = api.platform.useCases.webhookDispatch();
  const end = ownAllEndpoints(api.platform.messageBus, dispatch);
  leave = end;
  clientId = await api.client();
  endpointId = await endpointOf(clientId);
});
afterEach(async () => {
  jest.restoreAllMocks();
  leave();
  await api.close();
});

/** A confirmed endpoint. */
const endpointOf = async (client: string): Promise<string> => {
  const id = String((await api.call('POST', `/clients/${client}/webhook-endpoints`, { url: 'https://hooks.rp.example/' })).body.endpointId);
  const { webhookEndpoints } = relyingPartyRepositories(api.platform, 0);
  await confirmEndpoint(webhookEndpoints, { clientId: client as ClientId, endpointId: id as EndpointId, at: api.platform.clock.now() });
  return id;
};
const pingOf = (endpoint = endpointId, client = clientId, headers = {}) =>
  api.call('POST', `/clients/${client}/webhook-endpoints/${endpoint}/ping`, undefined, headers);
const recoverOf = (endpoint = endpointId, client = clientId) =>
  api.call('POST', `/clients/${client}/webhook-endpoints/${endpoint}/recover`, { since: 0 });
const image = PNG.sync.write(new PNG({ width: 64, height: 64 })).toString('base64');
const uploadOf = (client = clientId) => api.call('PUT', `/clients/${client}/logo`, { image });

const statusesOf = async (times: number, call: () => Promise<Answer>): Promise<number[]> =>
  (await Promise.all(Array.from({ length: times }, () => call()))).map(({ status }) => status).sort();
const secondsIn = ({ headers }: Answer): number => Number(headers['retry-after']);

/** Work that goes on until it is ended, as if it took long. */
const endless = (): { readonly work: () => Promise<never>; readonly begun: Promise<void>; readonly fail: () => void } => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: end, reject } = Promise.withResolvers<never>();
  return { work: () => (begin(), end), begun, fail: () => reject(new Error('broken')) };
};

describe('pings of a webhook endpoint', () => {
  it('are one in ten seconds; the next one is answered 429 with the time to wait', async () => {
    expect((await pingOf()).status).toBe(202);
    const refused = await pingOf();
    expect(refused).toMatchObject({ status: 429, body: { errorCode: 'rate_limited', payload: null } });
    expect(refused.headers).toMatchObject({ 'ratelimit-limit': '1', 'ratelimit-remaining': '0' });
    expect(secondsIn(refused)).toBeGreaterThan(0);
    expect(secondsIn(refused)).toBeLessThanOrEqual(10);
  });

  it('are one, however many come at once', async () => {
    expect(await statusesOf(20, pingOf)).toEqual([202, ...Array<number>(19).fill(429)]);
  });

  it('are counted for each endpoint, also those of one client', async () => {
    await pingOf();
    expect((await pingOf(await endpointOf(clientId))).status).toBe(202);
  });

  it('are not used up by another client that names the endpoint', async () => {
    const other = await api.client({ name: 'Other' });
    for (let time = 0; time < 3; time++) expect((await pingOf(endpointId, other)).status).toBe(404);
    expect((await pingOf()).status).toBe(202);
  });

  it('are counted together for staff of every role and for members', async () => {
    expect((await pingOf(endpointId, clientId, await api.member({ clientId: clientId as ClientId }))).status).toBe(202);
    const headersOf = async (role: 'support' | 'operator') => ({ authorization: `Bearer ${(await api.token(role)).token}` });
    for (const headers of [await headersOf('support'), await headersOf('operator'), await api.member({ clientId: clientId as ClientId })])
      expect((await pingOf(endpointId, clientId, headers)).status).toBe(429);
  });

  it('that are not found, or that fail, are not counted', async () => {
    for (let time = 0; time < 3; time++) expect((await pingOf(UNREGISTERED)).status).toBe(404);
    jest.spyOn(PingWebhookEndpoint.prototype, 'execute').mockRejectedValueOnce(new Error('broken'));
    expect((await pingOf()).status).toBe(500);
    expect((await pingOf()).status).toBe(202);
  });
});

describe('recoveries of a client', () => {
  it('are six an hour, of all its endpoints together', async () => {
    const another = await endpointOf(clientId);
    for (let time = 0; time < 6; time++) expect((await recoverOf(time % 2 === 0 ? endpointId : another)).status).toBe(202);
    const refused = await recoverOf();
    expect(refused).toMatchObject({ status: 429, body: { errorCode: 'rate_limited' }, headers: { 'ratelimit-limit': '6' } });
    expect(secondsIn(refused)).toBeGreaterThan(3_500);
    expect(secondsIn(refused)).toBeLessThanOrEqual(3_600);
    const other = await api.client({ name: 'Other' });
    expect((await recoverOf(await endpointOf(other), other)).status).toBe(202);
  });

  it('run one at a time on all replicas, and the next one runs after an error', async () => {
    const replica = await createRegistryApp(api.platform);
    const long = endless();
    jest.spyOn(RecoverDeliveries.prototype, 'execute').mockImplementationOnce(long.work);
    const first = recoverOf();
    await long.begun;
    const refused = await atReplica(replica);
    expect(refused).toMatchObject({ statusCode: 429, headers: { 'ratelimit-limit': '1' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(await statusesOf(20, recoverOf)).toEqual(Array<number>(20).fill(429));
    const other = await api.client({ name: 'Other' });
    expect((await recoverOf(await endpointOf(other), other)).status).toBe(202);
    long.fail();
    expect((await first).status).toBe(500);
    // Neither the refused ones nor the one that failed count.
    for (let time = 0; time < 6; time++) expect((await recoverOf()).status).toBe(202);
    await replica.close();
  });

  const atReplica = (replica: HttpApp) =>
    replica.inject({
      method: 'POST',
      url: `/admin/v1/clients/${clientId}/webhook-endpoints/${endpointId}/recover`,
      headers: { authorization: `Bearer ${api.platform.adminToken.reveal()}` },
      payload: { since: 0 },
    });
});

describe('uploads of a logo', () => {
  it('run one at a time for each client, and the next one runs after an error', async () => {
    const long = endless();
    jest.spyOn(ChangeLogo.prototype, 'upload').mockImplementationOnce(long.work);
    const first = uploadOf();
    await long.begun;
    const refused = await uploadOf();
    expect(refused).toMatchObject({ status: 429, body: { errorCode: 'rate_limited' }, headers: { 'ratelimit-limit': '1' } });
    expect(secondsIn(refused)).toBeGreaterThan(0);
    expect((await uploadOf(await api.client({ name: 'Other' }))).status).toBe(200);
    long.fail();
    expect((await first).status).toBe(500);
    for (let time = 0; time < 3; time++) expect((await uploadOf()).status).toBe(200);
  });
});

describe('the log', () => {
  it('learns which limit was exceeded', async () => {
    const { settings } = api.platform;
    const limits = new ClientLimits({ rateLimits: new MemoryRateLimits(), settings: { ...settings, webhookRecoverLimit: 1 } });
    const client = clientId as ClientId;
    const done = async (): Promise<void> => undefined;
    const reasonOf = (call: Promise<unknown>) => call.catch(({ reason }: { readonly reason: string }) => reason);
    await limits.ping(client, endpointId as EndpointId, done);
    expect(await reasonOf(limits.ping(client, endpointId as EndpointId, done))).toBe('too many pings of this endpoint');
    await limits.recover(client, done);
    expect(await reasonOf(limits.recover(client, done))).toBe('too many recoveries of this client');
    const [, upload] = [limits.uploadLogo(client, () => new Promise(() => undefined)), limits.uploadLogo(client, done)];
    expect(await reasonOf(upload)).toBe('an upload of a logo of this client is under way');
  });
});
