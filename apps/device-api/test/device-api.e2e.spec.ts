import { createPublicKey, generateKeyPairSync } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { SubjectId } from '#kernel';
import { DeviceConnection, EnrolmentRefused, type Phone, type Tampering } from '#clients/software-phone';
import { REDIRECT_URI } from '#testkit/session/login-request';

import { deviceApiFixture, refusal } from './device-api.fixture.js';

let api: Awaited<ReturnType<typeof deviceApiFixture>>;
let phone: Phone;

beforeAll(async () => {
  api = await deviceApiFixture();
  phone = await api.enrol();
});

afterAll(() => api.close());

describe('enrolment', () => {
  it.each(['P-256', 'P-384', 'RSA-3072'] as const)('answers device, certificate and chain for a %s key', async (keyType) => {
    const enrolled = await api.enrol({ keyType });
    expect(enrolled.deviceId).toMatch(/^[0-9a-f-]{36}$/);
    expect(enrolled.certificateChain).toHaveLength(2);
    expect((await enrolled.device()).body).toEqual({ deviceId: enrolled.deviceId, status: 'ACTIVE' });
  });

  it('uses an activation code once, also when it comes twice at the same time', async () => {
    const activationCode = await api.activationCode();
    const answers = await Promise.allSettled([1, 2, 3].map(() => api.enrol({ activationCode })));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('does not tell wrong activation codes apart', async () => {
    const late = await api.activationCode();
    api.platform.clock.advance(15 * 60_000);
    const bodies = [late, 'nonsense', 'x'.repeat(255)].map(async (activationCode) => {
      const refused: unknown = await api.enrol({ activationCode }).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(EnrolmentRefused);
      return JSON.stringify((refused as EnrolmentRefused).reply.body);
    });
    expect(new Set(await Promise.all(bodies)).size).toBe(1);
  });
});

describe('the device proof', () => {
  const tampered = (tamper: Tampering) => phone.call('POST', '/app/v1/session/00000000-0000-4000-8000-000000000000/scan', { t: 1 }, { tamper });
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

  it.each<[string, Tampering]>([
    ['missing', { proof: null }],
    ['no JWS', { proof: 'nonsense' }],
    ['very long', { proof: 'x'.repeat(10_000) }],
    ['by another key', { key: other }],
    ['of another type', { header: { typ: 'JWT' } }],
    ['without algorithm', { header: { alg: 'none' } }],
    ['by an unknown device', { header: { kid: '00000000-0000-4000-8000-000000000000' } }],
    ['with a kid that is no text', { header: { kid: { a: 1 } } }],
    ['by a key that it brings along', { header: { kid: undefined, jwk: {} } }],
    ['for another method', { claims: { htm: 'GET' } }],
    ['for another path', { claims: { htu: '/app/v1/device' } }],
    ['for another body', { sentBody: '{"t":2}' }],
    ['61 seconds old', { claims: { iat: 1_767_225_600 } }],
    ['from the future', { claims: { iat: 4_000_000_000 } }],
    ['with a time that is no number', { claims: { iat: 'now' } }],
    ['without an id', { claims: { jti: undefined } }],
  ])('%s is refused', async (_, tamper) => {
    expect(await tampered(tamper)).toMatchObject(refusal(401, 'invalid_device_proof', { now: Math.floor(api.platform.clock.now() / 1000) }));
  });

  it('of a new phone whose key is not a point of P-256 is refused', async () => {
    const { kty, crv, x } = createPublicKey(other).export({ format: 'jwk' });
    const jwk = { kty, crv, x, y: Buffer.alloc(32, 7).toString('base64url') };
    const newPhone = new DeviceConnection({ baseUrl: api.baseUrl, key: other, clock: api.platform.clock });
    const reply = await newPhone.call('POST', '/app/v1/device', {}, { tamper: { header: { jwk } } });
    expect(reply).toMatchObject({ status: 401, body: { errorCode: 'invalid_device_proof' } });
  });

  it('is needed on every spelling of a path', async () => {
    for (const path of ['/%61pp/v1/device', '/app/v1/%64evice', '/app/v1/nothing']) {
      const answer = await fetch(`${api.baseUrl}${path}`);
      expect([path, answer.status]).toEqual([path, 401]);
    }
  });

  it('counts once', async () => {
    const tamper = { claims: { jti: 'the same' } };
    expect((await phone.call('GET', '/app/v1/device', undefined, { tamper })).status).toBe(200);
    expect(await phone.call('GET', '/app/v1/device', undefined, { tamper })).toMatchObject({ status: 401 });
  });

  it('of a revoked device is refused', async () => {
    const lost = await api.enrol();
    await api.identity.revokeDevice.execute(api.identityId, lost.deviceId as never);
    expect(await lost.device()).toMatchObject({ status: 401, body: { errorCode: 'invalid_device_proof' } });
  });
});

describe('the preview', () => {
  it('records nothing, also for a person who may not scan', async () => {
    const subjectId: SubjectId = api.identity.subjectIds.of(api.client.clientId, api.identityId);
    const sessionId = await api.begin({ subjectId, title: 'Order 17' });
    for (const each of [phone, await api.bob()]) {
      expect((await each.preview(sessionId)).body).toMatchObject({ sessionId, signatureType: 'AUTHENTICATION', relyingPartyName: 'Shop' });
    }
    expect(await api.events(sessionId)).toEqual(['SessionCreated']);
  });

  it.each(['t=x', 't=1.5', 't=1&t=2', `a=${'x'.repeat(256)}`])('refuses the query %s', async (query) => {
    const reply = await phone.call('GET', `/app/v1/session/${await api.begin()}?${query}`);
    expect(reply).toMatchObject({ status: 400, body: { errorCode: 'invalid_request' } });
  });
});

describe('scan', () => {
  it('shows the relying party, the requested data and the bytes to sign', async () => {
    const sessionId = await api.begin({ title: 'Order 17' });
    const { body } = await phone.scan(sessionId);
    expect(body).toEqual({
      sessionId,
      signatureType: 'AUTHENTICATION',
      relyingPartyName: 'Shop',
      relyingPartyDomain: 'rp.example',
      title: 'Order 17',
      expiresAt: Math.floor(api.platform.clock.now() / 1000) + 120,
      requested: { attributes: ['name'], predicates: [] },
      toBeSigned: expect.any(String),
      signatureAlgorithm: 'ES256',
    });
    const statement = JSON.parse(Buffer.from((body as { toBeSigned: string }).toBeSigned, 'base64').toString()) as object;
    expect(statement).toMatchObject({
      sessionId,
      clientId: api.client.clientId,
      relyingPartyName: 'Shop',
      title: 'Order 17',
      challenge: expect.any(String),
    });
    expect(await api.events(sessionId)).toEqual(['SessionCreated', 'SessionScanned']);
  });

  it('answers the same when repeated', async () => {
    const sessionId = await api.begin();
    expect((await phone.scan(sessionId)).body).toEqual((await phone.scan(sessionId)).body);
    expect(await api.events(sessionId)).toEqual(['SessionCreated', 'SessionScanned']);
  });

  it('is won by one of two phones', async () => {
    const sessionId = await api.begin();
    const phones = [phone, await api.enrol()];
    const replies = await Promise.all(phones.map((each) => each.scan(sessionId)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(replies.find(({ ok }) => !ok)).toMatchObject(refusal(409, 'session_already_scanned'));
  });

  it('by another person is refused, recorded once, and leaves the session to its subject', async () => {
    const subjectId: SubjectId = api.identity.subjectIds.of(api.client.clientId, api.identityId);
    const sessionId = await api.begin({ subjectId });
    const bob = await api.bob();
    for (let time = 0; time < 2; time++) expect(await bob.scan(sessionId)).toMatchObject(refusal(403, 'subject_not_allowed'));
    expect(await api.events(sessionId)).toEqual(['SessionCreated', 'ScanRefused']);
    expect((await phone.scan(sessionId)).status).toBe(200);
  });

  it('answers a returnUrl that the client registered, and no other', async () => {
    const scan = async (return_url: string) => {
      const { body } = await phone.call<{ returnUrl?: string }>('POST', `/app/v1/session/${await api.begin()}/scan`, { return_url });
      return 'returnUrl' in body ? body.returnUrl : undefined;
    };
    expect(await scan(`${REDIRECT_URI}#waiting`)).toBe(`${REDIRECT_URI}#waiting`);
    expect(await scan('http://localhost:3000/login/#session')).toBe('http://localhost:3000/login/#session');
    expect(await scan('https://evil.example/')).toBeUndefined();
    expect(await scan('javascript:alert(1)')).toBeUndefined();
  });

  it('refuses a session that has ended, an unknown one and a text that is no id', async () => {
    const expired = await api.begin();
    api.platform.clock.advance(120_000);
    expect(await phone.scan(expired)).toMatchObject(refusal(410, 'session_expired'));
    expect(await api.events(expired)).toEqual(['SessionCreated', 'SessionExpired']);
    for (const unknown of ['00000000-0000-4000-8000-000000000000', 'nonsense'])
      expect(await phone.scan(unknown)).toMatchObject(refusal(404, 'session_not_found'));
  });

  it.each([{ return_url: 1 }, { return_url: 'x'.repeat(2001) }, { t: '1' }, { sessionId: 'x' }])('refuses the body %j', async (body) => {
    expect(await phone.call('POST', `/app/v1/session/${await api.begin()}/scan`, body)).toMatchObject({
      status: 400,
      body: { errorCode: 'invalid_request' },
    });
  });
});

describe('the inbox', () => {
  it('holds a pushed session until it is scanned, and waits for it', async () => {
    const owner = await api.bob();
    expect((await owner.pending()).body).toEqual({ sessions: [] });
    const waiting = owner.pending(20);
    const sessionId = await api.begin();
    const identityId = (await api.identity.findDevice.execute(owner.deviceId as never))?.identityId;
    if (!identityId || identityId === api.identityId) throw new Error('the phone is not the one of Bob');
    const expiresAt = api.platform.clock.now() + 120_000;
    await api.identity.inbox.push(identityId, { sessionId, clientId: api.client.clientId, expiresAt });
    const pushed = { sessions: [{ sessionId, expiresAt: Math.floor(expiresAt / 1000) }] };
    expect((await waiting).body).toEqual(pushed);
    await owner.scan(sessionId);
    expect((await owner.pending()).body).toEqual({ sessions: [] });
  });
});

it('lets the web phone in from its own origin, and no other page', async () => {
  const preflight = (origin: string) =>
    fetch(`${api.baseUrl}/app/v1/device`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'device-proof,content-type' },
    });
  const allowed = await preflight('http://localhost:3000');
  expect(allowed.headers.get('access-control-allow-origin')).toBe('http://localhost:3000');
  expect(allowed.headers.get('access-control-allow-headers')).toMatch(/device-proof/i);
  expect(allowed.headers.get('access-control-allow-credentials')).toBeNull();
  expect((await preflight('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
});
