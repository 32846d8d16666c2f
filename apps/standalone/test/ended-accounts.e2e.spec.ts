import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { DeviceConnection, Phone } from '#clients/software-phone';

import { LOGIN } from '#testkit/session/login-request';

import { nameOf, requestPath, servedRoutes, type ServedRoutes } from './served-routes.js';

const ADMIN_TOKEN = 'the-token-of-the-test-of-ended-accounts';
/** They take a code and a new key in place of a phone: here the code is missing. */
const ENROLMENTS = ['POST /app/v1/device', 'POST /app/v1/device/holder'];
const DAY = 86_400;

let served: ServedRoutes;
beforeAll(async () => {
  served = await servedRoutes({ ADMIN_TOKEN, AUTHENTICATION_FAILURE_LIMIT: '1000000', POLL_LIMIT: '1000000' });
});
afterAll(() => served.close());

const admin = async (method: string, path: string, body?: object): Promise<Record<string, string>> => {
  const answer = await fetch(`${served.baseUrl}/admin/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? {} : (JSON.parse(text) as Record<string, string>);
};

/** An account, how it calls a route, and what ends it. */
interface Account {
  readonly status: (method: string, path: string) => Promise<number>;
  readonly end: () => Promise<unknown>;
}

const client = async (name: string, end: (clientId: string) => Promise<unknown>): Promise<Account> => {
  const { clientId = '', clientSecret = '' } = await admin('POST', '/clients', { name, redirect_uris: ['https://rp.example/callback'] });
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  return {
    status: async (method, path) => (await fetch(`${served.baseUrl}${path}`, { method, headers: { authorization } })).status,
    end: () => end(clientId),
  };
};

const phone = async (personalCode: string, end: (identityId: string, deviceId: string) => Promise<unknown>): Promise<Account> => {
  const person = { given_name: 'Mari', family_name: 'Maasikas', personal_code: personalCode, date_of_birth: '1971-01-01', country: 'EE' };
  const { identityId = '' } = await admin('POST', '/identities', person);
  const { activationCode = '' } = await admin('POST', `/identities/${identityId}/activation-codes`);
  const { baseUrl } = served;
  const enrolled = await Phone.enrol({ baseUrl, activationCode, name: 'Phone', platform: 'test', pin: '1470' });
  const connection = new DeviceConnection({ baseUrl, key: enrolled.keys.authentication, deviceId: enrolled.deviceId });
  return {
    status: async (method, path) => (await connection.call(method, path, method === 'GET' || method === 'DELETE' ? undefined : {})).status,
    end: () => end(identityId, enrolled.deviceId),
  };
};

const token = async (): Promise<Account> => {
  const expires = Math.floor(Date.now() / 1_000) + DAY;
  const made = await admin('POST', '/admin-tokens', { name: 'robot', role: 'operator', expires_at: expires });
  return {
    status: async (method, path) =>
      (await fetch(`${served.baseUrl}${path}`, { method, headers: { authorization: `Bearer ${made['token']}` } })).status,
    end: () => admin('DELETE', `/admin-tokens/${made['tokenId']}`),
  };
};

/** Every way in which an account ends, with the routes that it could call, and one that it may call while it lives. */
const ENDS: readonly (readonly [string, string, string, () => Promise<Account>])[] = [
  [
    'a client that was disabled',
    '/relying-party/',
    '/relying-party/v1/subject-migrations',
    () => client('One', (id) => admin('POST', `/clients/${id}/disable`)),
  ],
  [
    'a client that was deleted',
    '/relying-party/',
    '/relying-party/v1/subject-migrations',
    () => client('Two', (id) => admin('DELETE', `/clients/${id}`)),
  ],
  [
    'a phone that was revoked',
    '/app/',
    '/app/v1/device',
    () => phone('1', (person, device) => admin('DELETE', `/identities/${person}/devices/${device}`)),
  ],
  ['the phone of a person who was erased', '/app/', '/app/v1/device', () => phone('2', (person) => admin('DELETE', `/identities/${person}`))],
  ['a token that was revoked', '/admin/', '/admin/v1/clients', token],
];

describe('every route that names a session', () => {
  /** Its answer to the request, without what is of the request alone. */
  const answer = async (method: string, path: string, headers: Record<string, string>) => {
    const {
      status,
      headers: given,
      body,
    } = await served
      .call({ method, path, port: Number(new URL(served.baseUrl).port) }, { headers })
      .then(async (response) => ({ status: response.status, headers: response.headers, body: await response.text() }));
    return { status, body, type: given.get('content-type') };
  };

  it('answers of the session of another client as of one that nothing has', async () => {
    const credentials = async (name: string) => {
      const { clientId, clientSecret } = await admin('POST', '/clients', { name, redirect_uris: ['https://rp.example/callback'] });
      return { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` };
    };
    const [own, other] = [await credentials('Three'), await credentials('Four')];
    const begun = await fetch(`${served.baseUrl}/relying-party/v1/session`, {
      method: 'POST',
      headers: { ...own, 'content-type': 'application/json' },
      body: JSON.stringify({ ...LOGIN, redirect_uri: 'https://rp.example/callback' }),
    });
    const { sessionId } = (await begun.json()) as { sessionId: string };
    const routes = served.routes.filter(({ path }) => /^\/relying-party\/.*:sessionId/.test(path));
    expect(routes.length).toBeGreaterThanOrEqual(4);
    for (const { method, path } of routes) {
      const [foreign, unknown] = [await answer(method, path.replace(':sessionId', sessionId), other), await answer(method, requestPath(path), other)];
      expect([nameOf({ method, path }), foreign]).toEqual([nameOf({ method, path }), unknown]);
      expect(foreign.status).toBe(404);
    }
    expect((await answer('GET', `/relying-party/v1/session/${sessionId}/status`, own)).status).toBe(200);
  });
});

describe('every route, to an account that has ended', () => {
  it('is in the inventory by the prefix of its credential', () => {
    for (const [, prefix] of ENDS) expect(served.routes.filter(({ path }) => path.startsWith(prefix)).length).toBeGreaterThan(7);
  });

  it.each(ENDS)('is closed: to %s', async (_, prefix, living, begin) => {
    const account = await begin();
    expect([200, 404]).toContain(await account.status('GET', living));
    await account.end();
    const open: string[] = [];
    for (const { method, path } of served.routes.filter((route) => route.path.startsWith(prefix))) {
      const name = nameOf({ method, path });
      const status = await account.status(method, requestPath(path));
      const isRefused = ENROLMENTS.includes(name) ? status >= 400 && status < 500 : status === 401;
      if (!isRefused) open.push(`${name}: ${status}`);
    }
    expect(open).toEqual([]);
  });
});
