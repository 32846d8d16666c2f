import { generateKeyPairSync } from 'node:crypto';

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { EventStoreUnavailable } from '#engines/event-store';
import { DeviceConnection, enrolmentBody, type EnrolmentRefused, newPhoneKeys, type Phone } from '#clients/software-phone';
import { documentedOperations } from '#testkit/inventories/documented-operations';

import { deviceApiFixture } from './device-api.fixture.js';

const LIMIT = 5;

let service: Awaited<ReturnType<typeof deviceApiFixture>>;
let phone: Phone;

beforeEach(async () => {
  service = await deviceApiFixture({ AUTHENTICATION_FAILURE_LIMIT: String(LIMIT), POLL_LIMIT: '3' });
  phone = await service.enrol();
});
afterEach(() => service.close());

/** The statuses of enrolments with a wrong code, sent at once; all proofs are right. */
const guess = async (times: number): Promise<number[]> => {
  const keys = await newPhoneKeys(service.platform.randomness);
  const outcomes = Array.from({ length: times }, () =>
    service.enrol({ activationCode: 'AAAA-AAAA-AAAA-AAAA', keys }).catch((error: unknown) => (error as EnrolmentRefused).reply.status),
  );
  return (await Promise.all(outcomes)) as number[];
};

describe('refused enrolments of one address', () => {
  it('are answered 429 beyond the limit, however many come at once, before their proof is checked', async () => {
    const statuses = await guess(40);
    expect(statuses.filter((status) => status === 400)).toHaveLength(LIMIT);
    expect(statuses.filter((status) => status === 429)).toHaveLength(40 - LIMIT);
    const unproven = await service.app.inject({ method: 'POST', url: '/app/v1/%64evice', payload: {} });
    expect(unproven.statusCode).toBe(429);
    expect(Number(unproven.headers['retry-after'])).toBeGreaterThan(0);
    const holder = await service.app.inject({ method: 'POST', url: '/app/v1/device/holder', payload: {} });
    expect(holder.statusCode).toBe(429);
  });

  it('do not touch enrolled phones, nor another address', async () => {
    await guess(LIMIT + 1);
    expect(await phone.pending()).toMatchObject({ ok: true });
    const elsewhere = await service.app.inject({ method: 'POST', url: '/app/v1/device', payload: {}, remoteAddress: '192.0.2.9' });
    expect(elsewhere.statusCode).toBe(401);
  });

  it('count only when they are refused', async () => {
    for (let time = 0; time <= LIMIT; time++) await service.enrol();
    expect(await guess(1)).toEqual([400]);
  });
});

describe('enrolments of a new key whose proof is right', () => {
  const ELSEWHERE = '198.51.100.7';
  const DEVICE = '/app/v1/device';
  const HOLDER = '/app/v1/device/holder';
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  /** A phone at that address. */
  const phoneAt = (remoteAddress: string) =>
    new DeviceConnection({
      baseUrl: service.baseUrl,
      key,
      clock: service.platform.clock,
      fetch: async (url, { method, headers, body } = {}) => {
        const { pathname } = new URL(url as URL);
        const payload = !body ? {} : { payload: Buffer.from(body as Uint8Array) };
        const answer = await service.app.inject({
          method: method as 'POST',
          url: pathname,
          headers: { ...(headers as object) },
          ...payload,
          remoteAddress,
        });
        return new Response(answer.body, { status: answer.statusCode, headers: answer.headers as Record<string, string> });
      },
    });
  /** The statuses of calls at once, from one address or each from its own. */
  const statusesOf = (
    times: number,
    call: (phone: DeviceConnection) => Promise<{ readonly status: number }>,
    addressOf: (at: number) => string = () => ELSEWHERE,
  ) => Promise.all(Array.from({ length: times }, async (_, at) => (await call(phoneAt(addressOf(at)))).status));
  const how = (statuses: readonly number[], status: number): number => statuses.filter((each) => each === status).length;

  it.each([
    ['lacks a member', DEVICE, '{}'],
    ['is no JSON', DEVICE, '{'],
    ['is a list', DEVICE, '[]'],
    ['holds a code of another type', DEVICE, '{"activation_code":{"a":1}}'],
    ['has a member twice', HOLDER, '{"activation_code":"x","activation_code":"x"}'],
    ['holds an unknown member', HOLDER, '{"activation_code":"x","other":1}'],
  ])('are answered 429 beyond the limit when the body %s', async (_, path, body) => {
    const statuses = await statusesOf(4 * LIMIT, (phone) => phone.call('POST', path, body));
    expect([how(statuses, 400), how(statuses, 429)]).toEqual([LIMIT, 3 * LIMIT]);
    expect(await phone.pending()).toMatchObject({ ok: true });
  });

  it.each([
    ['is too large', 413, { sentBody: `"${'x'.repeat(70_000)}"` }],
    ['is another one than the proven one', 401, { sentBody: '{"name":"x"}' }],
    ['comes with a forged proof', 401, { proof: 'x' }],
  ])('are answered 429 beyond the limit when the body %s', async (_, refused, tamper) => {
    const statuses = await statusesOf(4 * LIMIT, (phone) => phone.call('POST', DEVICE, '{}', { tamper }));
    expect([how(statuses, refused), how(statuses, 429)]).toEqual([LIMIT, 3 * LIMIT]);
  });

  it.each([
    ['with a wrong body', DEVICE, (code: string) => ({ activation_code: code })],
    ['with a body that is not the proven one', DEVICE, (code: string) => ({ activation_code: code }), 401],
    ['with a forged code', HOLDER, (code: string) => ({ activation_code: `${code.slice(0, -1)}${code.endsWith('A') ? 'B' : 'A'}` })],
  ])('are answered 429 beyond the limit when one person is named from many addresses %s', async (_, path, bodyOf, refused = 400) => {
    const body = JSON.stringify(bodyOf(await service.activationCode()));
    const options = refused === 401 ? { tamper: { sentBody: `${body} ` } } : {};
    const statuses = await statusesOf(
      4 * LIMIT,
      (each) => each.call('POST', path, body, options),
      (at) => `203.0.113.${at}`,
    );
    expect([how(statuses, refused), how(statuses, 429)]).toEqual([LIMIT, 3 * LIMIT]);
    // Another person enrols a phone meanwhile.
    expect(await (await service.bob()).pending()).toMatchObject({ ok: true });
  });

  describe('are answered 429 beyond the limit for each refusal of the reference', () => {
    /** Not caused by a request of the phone: the limit itself, and a store that is unavailable, which the next test shows. */
    const UNCOUNTED = ['rate_limited', 'service_unavailable'];
    const refusals = documentedOperations()
      .filter(({ name }) => name === `POST ${DEVICE}` || name === `POST ${HOLDER}`)
      .flatMap(({ name, refusals: all }) => all.map((each) => ({ path: name.replace('POST ', ''), ...each })))
      .filter(({ errorCode }) => !UNCOUNTED.includes(errorCode));

    /** A request that is refused so. */
    const CAUSES: Readonly<Record<string, (phone: DeviceConnection, path: string) => Promise<{ readonly status: number; readonly ok: boolean }>>> = {
      '400 invalid_request': (phone, path) => phone.call('POST', path, '{}'),
      '400 invalid_activation_code': (phone, path) =>
        path === HOLDER
          ? phone.call('POST', path, JSON.stringify({ activation_code: 'AAAA-AAAA-AAAA-AAAA' }))
          : phone.call('POST', path, JSON.stringify(wrongCode)),
      '401 invalid_device_proof': (phone, path) => phone.call('POST', path, '{}', { tamper: { proof: 'x' } }),
      '413 invalid_request': (phone, path) => phone.call('POST', path, '{}', { tamper: { sentBody: `"${'x'.repeat(70_000)}"` } }),
      '415 invalid_request': (phone, path) => phone.call('POST', path, '{}', { headers: { 'content-type': 'text/plain' } }),
    };
    let wrongCode: object;
    beforeEach(async () => {
      const keys = await newPhoneKeys(service.platform.randomness);
      wrongCode = await enrolmentBody(keys, { activationCode: 'AAAA-AAAA-AAAA-AAAA', name: 'Phone', platform: 'test', pin: '1470' });
    });

    it('are all known to this test', () => {
      expect([...new Set(refusals.map(({ status, errorCode }) => `${status} ${errorCode}`))].toSorted()).toEqual(Object.keys(CAUSES).toSorted());
      expect(refusals).toHaveLength(2 * Object.keys(CAUSES).length);
    });

    it.each(refusals)('$path: $status $errorCode', async ({ path, status, errorCode }) => {
      const cause = CAUSES[`${status} ${errorCode}`]!;
      const first = (await cause(phoneAt(ELSEWHERE), path)) as { body?: { errorCode?: string }; status: number };
      expect([first.status, first.body?.errorCode]).toEqual([status, errorCode]);
      const statuses = await statusesOf(4 * LIMIT - 1, (each) => cause(each, path));
      expect([how(statuses, status), how(statuses, 429)]).toEqual([LIMIT - 1, 3 * LIMIT]);
    });
  });

  it('are not counted while the service cannot judge them', async () => {
    const body = JSON.stringify({ activation_code: await service.activationCode() });
    const read = jest.spyOn(service.platform.eventStore, 'read').mockRejectedValue(new EventStoreUnavailable('down'));
    for (let time = 0; time <= LIMIT; time++) expect(await phoneAt(ELSEWHERE).call('POST', HOLDER, body)).toMatchObject({ status: 503 });
    read.mockRestore();
    expect(await phoneAt(ELSEWHERE).call('POST', HOLDER, body)).toMatchObject({ ok: true });
  });

  it('that succeed are not counted, for a person neither', async () => {
    const body = JSON.stringify({ activation_code: await service.activationCode() });
    for (let time = 0; time <= LIMIT; time++) expect(await phoneAt(ELSEWHERE).call('POST', HOLDER, body)).toMatchObject({ ok: true });
  });
});

describe('requests without a right proof', () => {
  const call = () => service.app.inject({ url: '/app/v1/session/pending', headers: { 'device-proof': 'x' } });

  it('are answered 429 beyond the limit; a phone at the same address goes on', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, call));
    expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(LIMIT);
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(20 - LIMIT);
    expect(JSON.parse(answers.at(-1)!.body)).toMatchObject({ errorCode: 'rate_limited', payload: null });
    expect(await phone.pending()).toMatchObject({ ok: true });
  });
});

describe('one phone', () => {
  it('asks its inbox as often as POLL_LIMIT says', async () => {
    for (let time = 0; time < 3; time++) expect(await phone.pending()).toMatchObject({ ok: true });
    expect(await phone.pending()).toMatchObject({ ok: false, status: 429 });
    expect(await (await service.enrol()).pending()).toMatchObject({ ok: true });
  });
});
