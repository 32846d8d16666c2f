import { describe, expect, it } from '@jest/globals';

import { codeIn, expectError, expectOk, LONE_SURROGATES, newCast, RelyingParty, UNKNOWN_SESSION, WIDE, word } from '../support/index.js';

const { service, shop, phone } = await newCast();

const redirectOf = async (client: RelyingParty, changes: Record<string, unknown> = {}): Promise<URL> => {
  const { redirect } = expectOk(await client.complete(await client.confirmed(phone, changes)));
  return new URL(redirect as string);
};

describe('the response', () => {
  it('is { redirect }, and nothing else', async () => {
    const answer = expectOk(await shop.complete(await shop.confirmed(phone)));
    expect(Object.keys(answer)).toEqual(['redirect']);
  });

  it("the URL is the client's redirect_uri with the query parameters code and state", async () => {
    const login = await shop.confirmed(phone);
    const { redirect } = expectOk(await shop.complete(login));
    const url = new URL(redirect as string);
    expect(`${url.origin}${url.pathname}`).toBe(shop.redirectUri);
    expect([...url.searchParams.keys()].sort()).toEqual(['code', 'state']);
    expect(url.searchParams.get('state')).toBe(login.state);
    expect(url.searchParams.get('code')).not.toBe('');
    expect(url.hash).toBe('');
  });

  it('code is an opaque string of at most 255 characters', async () => {
    const code = (await redirectOf(shop)).searchParams.get('code');
    expect(code).toMatch(/^[\x21-\x7e]{32,255}$/);
  });

  it('code is another one for each session', async () => {
    const codes = [await redirectOf(shop), await redirectOf(shop)].map((url) => url.searchParams.get('code'));
    expect(codes[0]).not.toBe(codes[1]);
  });

  it.each([
    'a b',
    'a+b',
    'a&code=evil',
    'a%20b',
    'a=b#c',
    'žš—登录',
    WIDE.repeat(500),
    'line\r\nSet-Cookie: x=y',
    '\u0000\u0001',
    '<script>\'"',
    ' padded ',
    '\u202eabc',
  ])('state comes as supplied, unchanged: %p', async (state) => {
    const url = await redirectOf(shop, { state });
    expect(url.searchParams.get('state')).toBe(state);
    expect(url.searchParams.getAll('code')).toHaveLength(1);
  });

  it('if state was omitted, the redirect carries no state', async () => {
    const url = await redirectOf(shop, { state: undefined });
    expect([...url.searchParams.keys()]).toEqual(['code']);
  });

  it('an empty state comes back empty', async () => {
    expect((await redirectOf(shop, { state: '' })).searchParams.get('state')).toBe('');
  });

  it('a redirect_uri with its own query keeps it', async () => {
    const uri = `https://${word()}.example/cb?tenant=a%20b&x=1`;
    const client = await RelyingParty.register(service, { redirect_uris: [uri] });
    const url = await redirectOf(client);
    expect(url.href.startsWith(`${uri}&`)).toBe(true);
    expect([...url.searchParams.keys()].sort()).toEqual(['code', 'state', 'tenant', 'x']);
  });

  it.each(LONE_SURROGATES)('a state that no URL can carry never gets this far: %s', async (_, state) => {
    expectError(await shop.post({ state }), 400, 'invalid_request', 'state');
  });
});

describe('session_not_found', () => {
  it('unknown sessionId', async () => {
    expectError(await shop.complete({ sessionId: UNKNOWN_SESSION }), 404, 'session_not_found');
  });

  it("another client's session, which stays as it is", async () => {
    const other = await RelyingParty.register(service);
    const login = await shop.confirmed(phone);
    expectError(await other.complete(login), 404, 'session_not_found');
    expectOk(await shop.complete(login));
    expectError(await other.complete(login), 404, 'session_not_found');
  });

  it('a sessionId that is no UUID', async () => {
    expectError(await shop.complete({ sessionId: 'x' }), 404, 'session_not_found');
  });
});

describe('session_already_completed', () => {
  it('completion is single-use', async () => {
    const login = await shop.completed(phone);
    expectError(await shop.complete(login), 409, 'session_already_completed');
    expectError(await shop.complete(login), 409, 'session_already_completed');
    expect(await shop.statusOf(login, 'COMPLETED')).toBe('COMPLETED');
  });

  it('stays the answer after the token exchange', async () => {
    const { code, verifier, sessionId } = await shop.completed(phone);
    expectOk(await shop.token(code, verifier));
    expectError(await shop.complete({ sessionId }), 409, 'session_already_completed');
  });

  it('a repetition carries no code', async () => {
    const { code, sessionId } = await shop.completed(phone);
    expect((await shop.complete({ sessionId })).text).not.toContain(code);
  });
});

describe('session_not_confirmed', () => {
  it('is the answer to PENDING', async () => {
    expectError(await shop.complete(await shop.login()), 409, 'session_not_confirmed');
  });

  it('is the answer to SCANNED', async () => {
    const login = await shop.scanned(phone);
    expectError(await shop.complete(login), 409, 'session_not_confirmed');
    expectOk(await phone.confirm(login.sessionId));
    expectOk(await shop.complete(login));
  });

  it('is the answer to CANCELLED', async () => {
    const login = await shop.scanned(phone);
    await phone.decline(login.sessionId);
    expectError(await shop.complete(login), 409, 'session_not_confirmed');
  });
});

describe('no body', () => {
  it.each([
    ['broken JSON', '{', 'application/json'],
    ['a form', 'a=b', 'application/x-www-form-urlencoded'],
    ['a client_id', '{"client_id":"x"}', 'application/json'],
    ['another type', '<a/>', 'text/xml'],
    ['a senseless type', 'x', ';;;'],
  ])('is needed, and any is ignored: %s', async (_, raw, type) => {
    const { sessionId } = await shop.confirmed(phone);
    const answer = await service.send({
      method: 'POST',
      path: `/relying-party/v1/session/${sessionId}/completion`,
      headers: { authorization: shop.authorization, 'content-type': type },
      raw,
    });
    codeIn(expectOk(answer)['redirect'] as string);
  });
});

describe('other methods', () => {
  it('GET completes nothing', async () => {
    const login = await shop.confirmed(phone);
    expectError(await shop.call('GET', `/relying-party/v1/session/${login.sessionId}/completion`), 404, 'not_found');
    expectOk(await shop.complete(login));
  });
});
