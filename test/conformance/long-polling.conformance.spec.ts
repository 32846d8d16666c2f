import { describe, expect, it } from '@jest/globals';

import { Browser, expectError, expectOk, newCast, pause, RelyingParty } from '../support/index.js';

const { service, shop, phone } = await newCast();

const timed = async <T>(work: Promise<T>): Promise<[T, number]> => {
  const began = Date.now();
  return [await work, Date.now() - began];
};

/** Milliseconds: shorter than the shortest wait that a test asks for, with room for a busy machine. */
const SOONER = 8_000;

describe('Prefer: wait', () => {
  it('without it the answer is immediate', async () => {
    const [answer, ms] = await timed(shop.status(await shop.login()));
    expect(ms).toBeLessThan(SOONER);
    expect(answer.headers).not.toHaveProperty('preference-applied');
  });

  it('holds the answer until the status is later', async () => {
    const login = await shop.login();
    const waiting = shop.status(login, { prefer: 'wait=20' });
    await pause(150);
    await phone.scan(login.sessionId);
    const [answer, ms] = await timed(waiting);
    expect(expectOk(answer)['status']).toBe('SCANNED');
    expect(ms).toBeLessThan(SOONER);
    expect(answer.headers['preference-applied']).toMatch(/^wait/);
  });

  it('holds it for N seconds at most', async () => {
    const [answer, ms] = await timed(shop.status(await shop.login(), { prefer: 'wait=1' }));
    expect(expectOk(answer)['status']).toBe('PENDING');
    expect(ms).toBeGreaterThanOrEqual(900);
    expect(ms).toBeLessThan(SOONER);
  });

  it('since=STATUS names the status that the caller knows: a later one is answered at once', async () => {
    const login = await shop.scanned(phone);
    await shop.statusOf(login, 'SCANNED');
    const [answer, ms] = await timed(shop.status(login, { prefer: 'wait=10' }, '?since=PENDING'));
    expect(expectOk(answer)['status']).toBe('SCANNED');
    expect(ms).toBeLessThan(SOONER);
  });

  it('since=STATUS may name a status that has not come yet: the answer waits for a later one', async () => {
    const login = await shop.login();
    const waiting = shop.status(login, { prefer: 'wait=20' }, '?since=SCANNED');
    await pause(100);
    await phone.scan(login.sessionId);
    await pause(150);
    await phone.confirm(login.sessionId);
    expect(expectOk(await waiting)['status']).toBe('CONFIRMED');
  });

  it('a terminal status answers at once', async () => {
    for (const login of [await shop.completed(phone), await cancelled()]) {
      await pause(service.staleness);
      const [answer, ms] = await timed(shop.status(login, { prefer: 'wait=10' }));
      expect(['COMPLETED', 'CANCELLED']).toContain(expectOk(answer)['status']);
      expect(ms).toBeLessThan(SOONER);
    }
  });

  it('an unknown since is refused', async () => {
    for (const query of ['?since=x', '?since=', '?since=pending', '?since=PENDING&since=SCANNED']) {
      expectError(await shop.status(await shop.login(), { prefer: 'wait=1' }, query), 400, 'invalid_request', 'since');
    }
  });

  it('a session that is not there answers at once', async () => {
    const other = await RelyingParty.register(service);
    const [answer, ms] = await timed(other.status(await shop.login(), { prefer: 'wait=10' }));
    expectError(answer, 404, 'session_not_found');
    expect(ms).toBeLessThan(SOONER);
  });

  it.each(['respond-async', 'wait', 'wait=', 'wait=x', 'wait=-1', 'wait=1.5', 'handling=lenient'])(
    'a preference that says nothing to wait for is ignored: %s',
    async (prefer) => {
      const answer = await shop.status(await shop.login(), { prefer });
      expectOk(answer);
      expect(answer.headers).not.toHaveProperty('preference-applied');
    },
  );

  it('wait=0 answers at once', async () => {
    const [answer, ms] = await timed(shop.status(await shop.login(), { prefer: 'wait=0' }));
    expectOk(answer);
    expect(ms).toBeLessThan(SOONER);
  });

  it.each(['respond-async, wait=1', 'wait = 1', 'Wait=1', 'wait="1"', 'wait=1; x=y'])('is read as RFC 7240 defines it: %s', async (prefer) => {
    const [answer, ms] = await timed(shop.status(await shop.login(), { prefer }));
    expectOk(answer);
    expect(ms).toBeGreaterThanOrEqual(900);
  });

  it('works on the hosted status too', async () => {
    const browser = new Browser(service);
    const login = await shop.login({ hosted_page: true });
    await browser.claim(login.handoffToken);
    const waiting = browser.status(login.sessionId, { prefer: 'wait=20' });
    await pause(150);
    await phone.scan(login.sessionId);
    const [answer, ms] = await timed(waiting);
    expect(expectOk(answer)['status']).toBe('SCANNED');
    expect(ms).toBeLessThan(SOONER);
  });

  it('two hundred waiting polls are all answered', async () => {
    const login = await shop.login();
    const waiting = Array.from({ length: 200 }, () => shop.status(login, { prefer: 'wait=20' }));
    await pause(200);
    await phone.scan(login.sessionId);
    for (const answer of await Promise.all(waiting)) expect(expectOk(answer)['status']).toBe('SCANNED');
  });
});

const cancelled = async () => {
  const login = await shop.login();
  await shop.cancel(login);
  return login;
};
