import { describe, expect, it } from '@jest/globals';

import { Browser, codeIn, expectError, expectOk, newCast, RelyingParty } from '../support/index.js';

const { service, shop, staff, phone } = await newCast();
const numbered = await RelyingParty.register(service, { finish_by_number: true });

type Via = 'link' | 'qr' | 'push';

/** A hosted login that a phone has confirmed, and what its confirmation answers. */
const confirmed = async (party: RelyingParty = numbered, via: Via = 'link') => {
  const { browser, login } = await party.claimed();
  expectOk(await phone.scan(login.sessionId, { via }));
  const confirmation = expectOk(await phone.confirm(login.sessionId));
  return { browser, login, number: confirmation['number'] as string, confirmation, token: tokenIn(confirmation) };
};
const tokenIn = ({ returnUrl }: Record<string, unknown>): string | undefined =>
  typeof returnUrl === 'string' ? new URL(returnUrl).hash.split('.')[1] : undefined;
const wrongFor = (number: string): string => String((Number(number) + 1) % 1_000_000).padStart(6, '0');
const timelineOf = async (sessionId: string) =>
  expectOk(await staff.call('GET', `/sessions/${sessionId}/timeline`))['events'] as Record<string, unknown>[];

describe('a login that was opened by a link, of a client with finish_by_number', () => {
  it('gets six digits with the confirmation, and again with its repetition', async () => {
    const { login, number, confirmation } = await confirmed();
    expect(number).toMatch(/^[0-9]{6}$/);
    expect(confirmation).toEqual({ status: 'CONFIRMED', returnUrl: expect.any(String), number });
    expect(expectOk(await phone.confirm(login.sessionId))['number']).toBe(number);
  });

  it('is finished by them in the browser that began it, once', async () => {
    const { browser, login, number } = await confirmed();
    expectError(await browser.complete(login.sessionId), 403, 'return_token_required');
    const { cookie } = browser;
    const { redirect } = expectOk(await browser.finishByNumber(login.sessionId, number));
    expect(browser.cookie).toBeUndefined();
    browser.cookie = cookie;
    expectError(await browser.finishByNumber(login.sessionId, number), 409, 'session_already_completed');
    expectOk(await numbered.token(codeIn(redirect as string), login.verifier));
    expect((await timelineOf(login.sessionId)).find(({ type }) => type === 'SessionCompleted')).toMatchObject({ finishedBy: 'number' });
    expect(expectOk(await phone.confirm(login.sessionId))).not.toHaveProperty('number');
  });

  it('is still finished by the return token, which leaves no mark of a number', async () => {
    const { browser, login, token } = await confirmed();
    expectOk(await browser.complete(login.sessionId, { return_token: token }));
    expect((await timelineOf(login.sessionId)).at(-1)).not.toHaveProperty('finishedBy');
  });

  it('has one try: a wrong number ends every way to finish it', async () => {
    const { browser, login, number, token } = await confirmed();
    expectError(await browser.finishByNumber(login.sessionId, wrongFor(number)), 403, 'return_token_required');
    expectError(await browser.finishByNumber(login.sessionId, number), 403, 'return_token_required');
    expectError(await browser.complete(login.sessionId, { return_token: token }), 403, 'return_token_required');
    expect(await numbered.statusOf(login)).toBe('CONFIRMED');
    expect((await timelineOf(login.sessionId)).at(-1)).toMatchObject({ type: 'NumberRefused', reason: 'WRONG_NUMBER' });
    expect(expectOk(await phone.confirm(login.sessionId))).not.toHaveProperty('number');
    const { redirect } = expectOk(await numbered.complete(login));
    expectError(await numbered.token(codeIn(redirect as string), login.verifier), 400, 'invalid_grant');
  });

  it.each([undefined, null, '', '12345', '1234567', '12 456', 123456, ['123456']])('takes %j for no try', async (text) => {
    const { browser, login, number } = await confirmed();
    expectError(await browser.finishByNumber(login.sessionId, text), 400, 'invalid_request', 'number');
    expectOk(await browser.finishByNumber(login.sessionId, number));
  });

  it('tells its page that a number may finish it', async () => {
    const { browser } = await numbered.claimed();
    expect(expectOk(await browser.describe())['finishByNumber']).toBe(true);
    expect(expectOk(await (await shop.claimed()).browser.describe())).not.toHaveProperty('finishByNumber');
  });
});

describe('an attacker begins a login and sends its link to a victim', () => {
  it('and waits: the browser learns no number, and finishes nothing', async () => {
    const { browser, login, number } = await confirmed();
    const answers = [await browser.status(login.sessionId), await browser.describe(), await browser.complete(login.sessionId)];
    for (const { text, headers } of answers) expect(text + JSON.stringify(headers)).not.toContain(number);
    expectError(await browser.complete(login.sessionId), 403, 'return_token_required');
    expect(await numbered.statusOf(login)).toBe('CONFIRMED');
  });

  it('and guesses, by many calls at the same instant: one try is taken', async () => {
    const { browser, login, number } = await confirmed();
    const guesses = Array.from({ length: 20 }, (_, index) => String((Number(number) + 1 + index) % 1_000_000).padStart(6, '0'));
    for (const answer of await Promise.all(guesses.map((guess) => browser.finishByNumber(login.sessionId, guess))))
      expectError(answer, 403, 'return_token_required');
    expect((await timelineOf(login.sessionId)).filter(({ type }) => type === 'NumberRefused')).toHaveLength(1);
  });

  it('and a stranger without the cookie ends nothing by a wrong number', async () => {
    const { browser, login, number } = await confirmed();
    expectError(await new Browser(service).finishByNumber(login.sessionId, wrongFor(number)), 401, 'no_login_cookie');
    const another = await confirmed();
    expectError(await another.browser.finishByNumber(login.sessionId, wrongFor(number)), 409, 'session_superseded');
    expectOk(await browser.finishByNumber(login.sessionId, number));
  });
});

describe('no number', () => {
  it.each<[string, () => RelyingParty, Via]>([
    ['of a client that does not allow it', () => shop, 'link'],
    ['by the code', () => numbered, 'qr'],
    ['by a push', () => numbered, 'push'],
  ])('finishes a login %s', async (_, party, via) => {
    const { browser, login, number, token } = await confirmed(party(), via);
    expect(number).toBeUndefined();
    expectError(await browser.finishByNumber(login.sessionId, '123456'), 403, 'return_token_required');
    expectOk(await browser.complete(login.sessionId, token === undefined ? undefined : { return_token: token }));
  });

  it('comes with a login on a page of the client', async () => {
    const login = await numbered.login();
    expectOk(await phone.scan(login.sessionId, { via: 'link' }));
    expect(expectOk(await phone.confirm(login.sessionId))).toEqual({ status: 'CONFIRMED' });
  });

  it('comes with a session that began before its client allowed it, and goes on where its client has ceased to', async () => {
    const changing = await RelyingParty.register(service);
    const path = `/clients/${changing.clientId}`;
    const [before, allow] = [await changing.claimed(), (on: boolean) => staff.call('PATCH', path, { finish_by_number: on })];
    expectOk(await allow(true));
    expectOk(await phone.scan(before.login.sessionId, { via: 'link' }));
    expect(expectOk(await phone.confirm(before.login.sessionId))).not.toHaveProperty('number');
    const during = await confirmed(changing);
    expectOk(await allow(false));
    expectOk(await during.browser.finishByNumber(during.login.sessionId, during.number));
    expect((await confirmed(changing)).number).toBeUndefined();
  });

  it('finishes a login before its confirmation', async () => {
    const { browser, login } = await numbered.claimed();
    expectError(await browser.finishByNumber(login.sessionId, '123456'), 409, 'session_not_confirmed');
  });

  it('finishes a login that another one in the same browser has superseded', async () => {
    const { browser, login, number } = await confirmed();
    await numbered.claimed(browser);
    expectError(await browser.finishByNumber(login.sessionId, number), 409, 'session_superseded');
  });

  it('finishes the login of a client with codes that change each second', async () => {
    const path = `/clients/${numbered.clientId}`;
    expectError(await staff.call('PATCH', path, { dynamic_qr: true }), 400, 'invalid_request', 'finish_by_number');
    expectError(
      await staff.call('POST', '/clients', { name: 'Both', redirect_uris: [], finish_by_number: true, dynamic_qr: true }),
      400,
      'invalid_request',
    );
  });
});
