import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import {
  type Answer,
  basic,
  expectError,
  expectOk,
  type OwnService,
  RelyingParty,
  Staff,
  startOwn,
  startsOwn,
  topology,
  UNKNOWN_SESSION,
} from '../support/index.js';

/** A process with the limits of the interface; the others have none, since all tests come from one address. */
const limited = startsOwn ? describe : describe.skip;

/** On a topology all replicas count together, and other files have failed from the usual address. */
const STRANGER = topology ? { from: '127.0.0.9' } : {};

let service: OwnService;
let shop: RelyingParty;

beforeAll(async () => {
  if (!startsOwn) return;
  service = await startOwn('rate-limits', { AUTHENTICATION_FAILURE_LIMIT: '300' }, ['session-api']);
  shop = await RelyingParty.register(service);
});

afterAll(async () => {
  if (startsOwn) await service.stop();
});

limited('failed authentications', () => {
  const failure = () =>
    service.send({
      method: 'GET',
      path: `/relying-party/v1/session/${UNKNOWN_SESSION}/status`,
      headers: { authorization: basic(shop.clientId, 'wrong') },
      ...STRANGER,
    });

  /** The contract's 401, with the seconds to wait. */
  const expectBeyond = (answer: Answer): void => {
    expect([answer.status, answer.text]).toEqual([401, '']);
    expect(answer.headers['www-authenticate']).toBe('Basic realm="Realm"');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('ratelimit'))).toEqual([]);
  };

  it('stay 401 whatever their number; beyond 300 a minute from one address they carry Retry-After', async () => {
    const first = await Promise.all(Array.from({ length: 300 }, failure));
    expect(first.map(({ status, headers }) => [status, headers['retry-after']])).toEqual(first.map(() => [401, undefined]));
    expectBeyond(await failure());
  });

  it('right credentials are never throttled, so no attacker can lock a client out', async () => {
    for (let i = 0; i < 50; i++) {
      expectBeyond(await failure());
      expectOk(await shop.post());
    }
  });

  it('do not throttle the admin token either', async () => {
    expectOk(await new Staff(service).call('GET', '/clients'));
  });

  it('a forged X-Forwarded-For opens no new count where no proxy is trusted', async () => {
    const answer = await service.send({
      method: 'POST',
      path: '/relying-party/v1/session',
      headers: { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.7', 'x-real-ip': '203.0.113.7' },
      ...STRANGER,
    });
    expectBeyond(answer);
  });
});

limited('push', () => {
  it('is limited to 5 sessions per client and subject in 10 minutes; the sixth is rate_limited', async () => {
    const phone = await new Staff(service).newPhone();
    const push = { push: true, subject_id: await shop.subjectOf(phone) };
    for (let i = 0; i < 5; i++) expect((await shop.login(push)).pushStatus).toBe('DISPATCHED');
    const sixth = await shop.post(push);
    expectError(sixth, 429, 'rate_limited');
    expect(Number(sixth.headers['retry-after'])).toBeGreaterThan(0);
    expect(await phone.pendingIds()).toHaveLength(5);
  });

  it('of one subject does not limit another, another client, or a session without push', async () => {
    const phone = await new Staff(service).newPhone();
    const push = { push: true, subject_id: await shop.subjectOf(phone) };
    for (let i = 0; i < 6; i++) await shop.post(push);
    const other = await RelyingParty.register(service);
    expectOk(await other.post({ push: true, subject_id: await other.subjectOf(phone) }));
    expectOk(await shop.post({ subject_id: push.subject_id }));
    expectOk(await shop.post({ push: true, subject_id: await shop.subjectOf(await new Staff(service).newPhone()) }));
  });

  it('six at once: five at most go out', async () => {
    const phone = await new Staff(service).newPhone();
    const push = { push: true, subject_id: await shop.subjectOf(phone) };
    const answers = await Promise.all(Array.from({ length: 12 }, () => shop.post(push)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(await phone.pendingIds()).toHaveLength(5);
  });
});
