import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import {
  bytesOf,
  compactJws,
  expectError,
  expectOk,
  expectSecondsAfter,
  nowInSeconds,
  type Phone,
  Phone as NewPhone,
  type Proof,
  type Service,
  StandaloneService,
  sharedService,
  Staff,
  startsProcesses,
} from '../support/index.js';

const PATH = '/app/v1/device';

let service: Service;
let phone: Phone;

beforeAll(async () => {
  service = await sharedService();
  phone = await new Staff(service).newPhone();
});

const proof = (change: (proof: Proof) => Proof = (same) => same): string => compactJws(change(phone.proof('GET', PATH)), phone.key);
const withHeader = (changes: Record<string, unknown>) => proof(({ header, claims }) => ({ header: { ...header, ...changes }, claims }));
const withClaims = (changes: Record<string, unknown>) => proof(({ header, claims }) => ({ header, claims: { ...claims, ...changes } }));
const show = (jws: string) => phone.callWith(jws, 'GET', PATH);
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

const REFUSED: [string, () => string][] = [
  ['empty', () => ''],
  ['no JWS', () => 'x'],
  ['three dots', () => '...'],
  ['no JSON', () => 'eHg.eHg.eHg'],
  ['typ missing', () => withHeader({ typ: undefined })],
  ['typ JWT', () => withHeader({ typ: 'JWT' })],
  ['typ of another proof', () => withHeader({ typ: 'dpop+jwt' })],
  [
    'alg none',
    () =>
      `${proof(({ header, claims }) => ({ header: { ...header, alg: 'none' }, claims }))
        .split('.')
        .slice(0, 2)
        .join('.')}.`,
  ],
  ['alg ES384', () => withHeader({ alg: 'ES384' })],
  ['alg HS256', () => withHeader({ alg: 'HS256' })],
  ['alg missing', () => withHeader({ alg: undefined })],
  ['an unknown critical header', () => withHeader({ crit: ['x'], x: 1 })],
  ['unencoded payload', () => withHeader({ crit: ['b64'], b64: false })],
  ['kid missing', () => withHeader({ kid: undefined })],
  ['kid unknown', () => withHeader({ kid: randomUUID() })],
  ['kid no UUID', () => withHeader({ kid: '../x' })],
  ['kid no text', () => withHeader({ kid: 1 })],
  ['jwk instead of kid', () => withHeader({ kid: undefined, jwk: new NewPhone(service).proof('GET', PATH).header['jwk'] })],
  ['htm missing', () => withClaims({ htm: undefined })],
  ['htm of another method', () => withClaims({ htm: 'POST' })],
  ['htm in lower case', () => withClaims({ htm: 'get' })],
  ['htu missing', () => withClaims({ htu: undefined })],
  ['htu of another path', () => withClaims({ htu: '/app/v1/session/pending' })],
  ['htu with the host', () => withClaims({ htu: `${service.baseUrls[0]}${PATH}` })],
  ['iat missing', () => withClaims({ iat: undefined })],
  ['iat as text', () => withClaims({ iat: String(nowInSeconds()) })],
  ['iat 65 seconds ago', () => withClaims({ iat: nowInSeconds() - 65 })],
  ['iat in 65 seconds', () => withClaims({ iat: nowInSeconds() + 65 })],
  ['iat in milliseconds', () => withClaims({ iat: Date.now() })],
  ['jti missing', () => withClaims({ jti: undefined })],
  ['jti empty', () => withClaims({ jti: '' })],
  ['jti no text', () => withClaims({ jti: 7 })],
  ['bsh missing', () => withClaims({ bsh: undefined })],
  ['bsh of another body', () => withClaims({ bsh: 'A'.repeat(43) })],
  ['another key', () => compactJws(phone.proof('GET', PATH), generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)],
  [
    'a signature in DER',
    () => {
      const content = proof().split('.').slice(0, 2).join('.');
      return `${content}.${sign('sha256', Buffer.from(content), phone.key).toString('base64url')}`;
    },
  ],
  [
    'an altered claim',
    () => {
      const [header, , signature] = proof().split('.');
      return `${header}.${encoded(phone.proof('GET', PATH).claims)}.${signature}`;
    },
  ],
  ['a signature left out', () => `${proof().split('.').slice(0, 2).join('.')}.`],
  ['a signature of zeros', () => `${proof().split('.').slice(0, 2).join('.')}.${Buffer.alloc(64).toString('base64url')}`],
  ['very long', () => withClaims({ x: 'x'.repeat(8000) })],
];

describe('invalid_device_proof is the answer to a proof with', () => {
  it.each(REFUSED)('%s', async (_, make) => {
    const answer = await show(make());
    expectError(answer, 401, 'invalid_device_proof');
    expect(answer.json?.['payload']).toEqual({ now: expect.any(Number) });
  });

  it('nothing at all', async () => {
    expectError(await service.send({ method: 'GET', path: PATH }), 401, 'invalid_device_proof');
  });

  it('none of these: their answers are equal, and so is their time', async () => {
    const answers = [];
    for (const [, make] of REFUSED) answers.push(await show(make()));
    const same = answers.map((answer) => bytesOf({ ...answer, text: answer.text.replace(/"now":\d+/, '"now":0') }));
    expect([...new Set(same)]).toHaveLength(1);
  });
});

describe('a web phone on an origin of its own', () => {
  const APP_ORIGIN = new URL(process.env['APP_URL'] ?? 'http://phone.localhost:4999').origin;
  let distant: Service;

  beforeAll(async () => {
    distant = startsProcesses ? await StandaloneService.start('web-phone', { APP_URL: APP_ORIGIN }) : service;
  });

  afterAll(async () => {
    if (distant instanceof StandaloneService) await distant.stop();
  });

  const asked = (origin: string) => distant.send({ method: 'GET', path: PATH, headers: { origin, 'device-proof': 'x' } });

  it('can read why its proof was refused and what time it is; no other origin can', async () => {
    const own = await asked(APP_ORIGIN);
    expectError(own, 401, 'invalid_device_proof');
    expect(own.headers['access-control-allow-origin']).toBe(APP_ORIGIN);
    for (const origin of ['https://evil.example', 'null', `${APP_ORIGIN}.evil.example`]) {
      const foreign = (await asked(origin)).headers;
      expect([undefined, APP_ORIGIN]).toContain(foreign['access-control-allow-origin']);
      expect(foreign['vary']?.toLowerCase()).toContain('origin');
    }
  });

  it('is preflighted, and never sends a cookie', async () => {
    const { headers } = await distant.send({
      method: 'OPTIONS',
      path: PATH,
      headers: { origin: APP_ORIGIN, 'access-control-request-method': 'POST', 'access-control-request-headers': 'device-proof,content-type' },
    });
    expect(headers['access-control-allow-origin']).toBe(APP_ORIGIN);
    expect(headers['access-control-allow-headers']?.toLowerCase()).toContain('device-proof');
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });
});

describe('the proof', () => {
  it('is accepted for ±60 s', async () => {
    for (const seconds of [-55, 55]) expectOk(await show(withClaims({ iat: nowInSeconds() + seconds })));
  });

  it('tells the time to a phone with a wrong clock', async () => {
    const began = nowInSeconds();
    const answer = await show(withClaims({ iat: began + 3600 }));
    expectSecondsAfter(began, 0, (answer.json?.['payload'] as { now: number }).now);
  });

  it('a jti is accepted once', async () => {
    const jws = proof();
    expectOk(await show(jws));
    for (const _ of service.baseUrls.slice(1)) await show(jws);
    expectError(await show(jws), 401, 'invalid_device_proof');
  });

  it('a jti that was refused is not used up by it', async () => {
    const jti = randomUUID();
    expectError(await show(withClaims({ jti, htm: 'POST' })), 401, 'invalid_device_proof');
    expectOk(await show(withClaims({ jti })));
  });

  it('covers the bytes of the body', async () => {
    const path = `/app/v1/session/${randomUUID()}/scan`;
    const jws = () => compactJws(phone.proof('POST', path, '{}'), phone.key);
    expectError(await phone.callWith(jws(), 'POST', path, '{}'), 404, 'session_not_found');
    expectError(await phone.callWith(jws(), 'POST', path, '{ }'), 401, 'invalid_device_proof');
    expectError(await phone.callWith(jws(), 'POST', path), 401, 'invalid_device_proof');
  });

  it('is needed by every call', async () => {
    const session = `/app/v1/session/${randomUUID()}`;
    for (const [method, path] of [
      ['POST', PATH],
      ['GET', PATH],
      ['POST', `${session}/scan`],
      ['POST', `${session}/confirm`],
      ['POST', `${session}/decline`],
      ['GET', '/app/v1/session/pending'],
    ]) {
      expectError(await service.send({ method: method!, path: path!, ...(method === 'POST' && { json: {} }) }), 401, 'invalid_device_proof');
    }
  });

  it('of a revoked device gets the same 401', async () => {
    const staff = new Staff(service);
    const person = await staff.registerPerson();
    const revoked = await staff.phoneOf(person);
    await staff.ask('DELETE', `/identities/${person.identityId}/devices/${revoked.deviceId}`);
    const answer = await revoked.show();
    expectError(answer, 401, 'invalid_device_proof');
    const unknown = await show(withHeader({ kid: randomUUID() }));
    const timeless = (text: string) => text.replace(/"now":\d+/, '');
    expect(timeless(answer.text)).toBe(timeless(unknown.text));
  });

  it('an enrolment carries the key itself; its private half stays on the phone', async () => {
    const staff = new Staff(service);
    const fresh = new NewPhone(service);
    const body = JSON.stringify(await fresh.enrolmentBody(await staff.activationCode(await staff.registerPerson())));
    const right = fresh.proof('POST', PATH, body);
    const stolen = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const enrol = (header: Record<string, unknown>, key = fresh.key) =>
      fresh.callWith(compactJws({ header: { ...right.header, ...header }, claims: { ...right.claims, jti: randomUUID() } }, key), 'POST', PATH, body);
    expectError(await enrol({}, stolen.privateKey), 401, 'invalid_device_proof');
    expectError(await enrol({ jwk: stolen.privateKey.export({ format: 'jwk' }) }, stolen.privateKey), 401, 'invalid_device_proof');
    expectError(await enrol({ jwk: { ...(right.header['jwk'] as object), crv: 'P-384' } }), 401, 'invalid_device_proof');
    expectError(await enrol({ jwk: undefined, kid: randomUUID() }), 401, 'invalid_device_proof');
    expectOk(await enrol({}));
  });
});
