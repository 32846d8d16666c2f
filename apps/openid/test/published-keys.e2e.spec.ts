import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';

import { epochSeconds } from '#kernel';
import { ASSERTION_TYPE } from '#domain/openid';
import { clientKeysIn } from '#domain/relying-party';
import { GuardedGet, ReachableNetworks } from '#domain/webhook';
import { type SessionFixture, sessionFixture } from '#testkit/platform/session-fixture';
import { withParts } from '#testkit/platform/test-platform';
import { INTERNAL_LITERALS, INTERNAL_NAMES } from '#testkit/webhook/internal-hosts';

import { GRANT, openIdFixture, REQUEST } from './openid.fixture.js';

const ISSUER = 'http://localhost:3000/openid';
const MINUTE = 60_000;

type Pair = ReturnType<typeof pair>;
const pair = (kid: string) => ({ kid, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) });
const documentOf = (...pairs: readonly Pair[]): string =>
  JSON.stringify({ keys: pairs.map(({ kid, publicKey }) => ({ ...publicKey.export({ format: 'jwk' }), kid, use: 'sig' })) });

let world: SessionFixture;
let api: Awaited<ReturnType<typeof openIdFixture>>;
beforeAll(async () => {
  world = await sessionFixture();
  api = await openIdFixture(world);
});
afterAll(() => api.close());

const publishAt = (jwksUri: string) => api.platform.useCases.relyingParties().changeClient.execute(api.client.clientId, { jwksUri });
const byKey = async ({ kid, privateKey }: Pair) => {
  const { clientId } = api.client;
  const claims = { iss: clientId, sub: clientId, aud: ISSUER, jti: randomUUID(), exp: epochSeconds(api.platform.clock.now()) + 60 };
  const assertion = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey);
  return { client_assertion_type: ASSERTION_TYPE, client_assertion: assertion };
};

describe('a client that publishes its keys', () => {
  const [first, second] = [pair('first'), pair('second')];
  let published: string;
  let requests: number;
  let host: Server;
  beforeAll(async () => {
    host = createHttpServer((_, response) => {
      requests++;
      response.setHeader('content-type', 'application/json').end(published);
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void host.close());
  beforeEach(async () => {
    [published, requests] = [documentOf(first), 0];
    await publishAt(`http://127.0.0.1:${(host.address() as AddressInfo).port}/${randomUUID()}`);
  });

  const push = async (by: Pair) => (await api.post('par', { ...REQUEST, ...(await byKey(by)) }, {})).status;
  /** Forty clients' calls at once, a second apart. */
  const load = async (seconds: number, ...pairs: readonly Pair[]): Promise<ReadonlySet<number>> => {
    const statuses = new Set<number>();
    for (let second = 0; second < seconds; second++) {
      const calls = Array.from({ length: 40 }, (_, call) => push(pairs[call % pairs.length]!));
      for (const status of await Promise.all(calls)) statuses.add(status);
      api.platform.clock.advance(1_000);
    }
    return statuses;
  };

  it('logs in by one of them', async () => {
    const { code } = await api.login();
    expect((await api.post('token', { ...GRANT, code, ...(await byKey(first)) }, {})).status).toBe(200);
    expect(requests).toBe(1);
  });

  it('rotates its key under load without a failed login, and its host is asked once for each change', async () => {
    expect(await load(3, first)).toEqual(new Set([201]));
    published = documentOf(first, second);
    expect(await load(3, first, second)).toEqual(new Set([201]));
    published = documentOf(second);
    expect(await load(3, second)).toEqual(new Set([201]));
    expect(requests).toBe(2);
    api.platform.clock.advance(5 * MINUTE);
    expect(await load(1, second)).toEqual(new Set([201]));
    expect([await push(first), requests]).toEqual([401, 4]);
  });

  it('is known while its host is down, and strangers make the service ask the host no more than once in ten seconds', async () => {
    expect(await push(first)).toBe(201);
    published = 'down';
    const stranger = pair('unknown');
    expect(await load(20, first, stranger)).toEqual(new Set([201, 401]));
    expect(requests).toBeLessThanOrEqual(4);
  });

  it('proves itself by its new keys alone once it registers some in place of the address', async () => {
    expect(await push(first)).toBe(201);
    const jwks = clientKeysIn(JSON.parse(documentOf(second)));
    const { changeClient } = api.platform.useCases.relyingParties();
    await expect(changeClient.execute(api.client.clientId, { jwks })).rejects.toMatchObject({ code: 'invalid_request' });
    await changeClient.execute(api.client.clientId, { jwks, jwksUri: '' });
    expect([await push(first), await push(second)]).toEqual([401, 201]);
    await changeClient.execute(api.client.clientId, { jwks: { keys: [] } });
    expect(await push(second)).toBe(401);
  });
});

/** No internal address is allowed, as in production; the addresses were registered while they were, or lead elsewhere by now. */
describe('the service connects to no internal address for the keys of a client', () => {
  const key = pair('first');
  let internal: Server[];
  let port: number;
  let connections: number;
  let answers: readonly string[];
  let guarded: Awaited<ReturnType<typeof openIdFixture>>;

  const listen = (address: string, at: number): Promise<Server> =>
    new Promise((resolve, reject) => {
      const server = createServer((socket) => {
        connections++;
        socket.destroy();
      });
      server.once('error', reject).listen({ host: address, port: at, ipv6Only: true }, () => resolve(server));
    });
  const resolve = async (): Promise<readonly LookupAddress[]> => answers.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  beforeAll(async () => {
    connections = 0;
    const first = await listen('0.0.0.0', 0);
    ({ port } = first.address() as AddressInfo);
    // A machine may have no IPv6.
    internal = [first, ...(await Promise.all([listen('::', port).catch(() => undefined)])).filter((server) => server !== undefined)];
    const get = new GuardedGet({ networks: new ReachableNetworks([]), resolve });
    guarded = await openIdFixture({ ...world, platform: withParts(world.platform, { get }) });
  });
  afterAll(async () => {
    for (const server of internal) server.close();
    await guarded.app.close();
  });
  const push = async () => (await guarded.post('par', { ...REQUEST, ...(await byKey(key)) }, {})).status;

  it.each(INTERNAL_LITERALS)('written as %s', async (literal) => {
    for (const scheme of ['http', 'https']) {
      await publishAt(`${scheme}://${literal}:${port}/jwks`);
      expect(await push()).toBe(401);
    }
    expect(connections).toBe(0);
  });

  it.each([
    ...INTERNAL_NAMES.map((name) => [name, ['127.0.0.1']] as const),
    ['keys.rp.example', ['::1']],
    ['keys.rp.example', ['::ffff:127.0.0.1']],
    ['keys.rp.example', ['64:ff9b::7f00:1']],
    ['keys.rp.example', ['169.254.169.254']],
    ['keys.rp.example', ['192.0.2.1', '127.0.0.1']],
    ['keys.rp.example', []],
  ] as const)('by the name %s, which resolves to %j', async (name, found) => {
    answers = found;
    await publishAt(`http://${name}:${port}/${randomUUID()}`);
    expect(await push()).toBe(401);
    expect(connections).toBe(0);
  });
});
