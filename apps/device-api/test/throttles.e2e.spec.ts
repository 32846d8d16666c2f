import { type EnrolmentRefused, newPhoneKeys, type Phone } from '#software-phone';

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
