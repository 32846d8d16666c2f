import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { streamName } from '#engines/event-store';

import { buildDemo } from '../src/index.js';
import { Browser } from './browser.js';
import { type DemoFixture, demoFixture, PIN } from './demo.fixture.js';
import { qrTextOn } from './read-qr.js';

let demo: DemoFixture;
let browser: Browser;

beforeAll(async () => {
  demo = await demoFixture();
});

afterAll(() => demo.close());

beforeEach(() => {
  browser = demo.browser();
});

/** The redirect at the end of an approved and completed login. */
const approved = async (of: Browser = browser): Promise<URL> => (await approvedSession(of)).redirect;

const approvedSession = async (of: Browser = browser): Promise<{ redirect: URL; sessionId: string }> => {
  await of.post('/login', { integration: 'OWN_PAGE' });
  const code = qrTextOn(await of.get('/waiting'));
  await demo.mari.scan(code);
  await demo.mari.confirm(PIN);
  const { location = '' } = await of.post('/waiting/completion');
  return { redirect: new URL(location), sessionId: new URL(code).searchParams.get('sessionId') ?? '' };
};

const isRedeemed = async (sessionId: string): Promise<boolean> =>
  (await demo.platform.eventStore.read(streamName('session', sessionId))).some(({ type }) => type === 'CodeRedeemed');

const isLoggedIn = async (of: Browser = browser): Promise<boolean> => (await of.get('/account')).status === 200;

/** specification/relying-party.md#the-clients-own-session */
describe("the client's own session", () => {
  it('gets a new identifier at login, and the previous one becomes invalid', async () => {
    const redirect = await approved();
    const before = browser.cookie;
    await browser.follow(redirect.href);
    expect(browser.cookie).not.toBe(before);
    expect(await isLoggedIn()).toBe(true);

    const thief = demo.browser();
    thief.cookie = before;
    expect(await isLoggedIn(thief)).toBe(false);
  });

  it('gets a new identifier at logout, and the account is closed', async () => {
    await browser.follow((await approved()).href);
    const before = browser.cookie;
    expect(await browser.post('/logout')).toMatchObject({ status: 303, location: '/' });
    expect(browser.cookie).not.toBe(before);
    expect(await isLoggedIn()).toBe(false);
    browser.cookie = before;
    expect(await isLoggedIn()).toBe(false);
  });

  it('does not accept an identifier that an attacker chose', async () => {
    browser.cookie = 'visitor-4001=chosen-by-another-person';
    await browser.post('/login', { integration: 'OWN_PAGE' });
    expect(browser.cookie).not.toContain('chosen');
  });

  it('takes no subjectId from the browser', async () => {
    const subject_id = '00000000-0000-8000-8000-000000000001';
    for (const form of [{ subject_id }, { subjectId: subject_id }, { pushTo: subject_id }]) {
      expect((await browser.post('/login', { integration: 'OWN_PAGE', push: 'yes', ...form })).status).toBe(303);
      expect((await browser.get('/waiting')).text).not.toContain(subject_id);
    }
    await browser.follow(`/callback?subjectId=${subject_id}`);
    expect(await isLoggedIn()).toBe(false);
  });

  it('takes no sessionId from the browser: a posted one has no effect', async () => {
    const other = demo.browser();
    await other.post('/login', { integration: 'OWN_PAGE' });
    const foreign = qrTextOn(await other.get('/waiting'));
    const sessionId = new URL(foreign).searchParams.get('sessionId') ?? '';
    await demo.mari.scan(foreign);
    await demo.mari.confirm(PIN);

    expect((await browser.post(`/waiting/completion?sessionId=${sessionId}`, { sessionId })).status).toBe(404);
    await browser.post('/login', { integration: 'OWN_PAGE', sessionId });
    expect((await browser.get('/waiting')).text).not.toContain(sessionId);
    expect((await browser.post('/waiting/completion', { sessionId })).location).toBe('/waiting');
    expect(await isLoggedIn()).toBe(false);
  });

  it('keeps sessionId, state and verifier on the server: the cookie is an identifier and a signature', async () => {
    await browser.post('/login', { integration: 'OWN_PAGE' });
    expect(decodeURIComponent(browser.cookie ?? '')).toMatch(/^visitor-4001=[\w-]{43}\.[\w+/-]{43}$/);
  });

  it('has a cookie that is HttpOnly and SameSite=Lax', async () => {
    const { setCookie } = await browser.post('/login', { integration: 'OWN_PAGE' });
    expect(setCookie).toMatch(/; HttpOnly(;|$)/);
    expect(setCookie).toMatch(/; SameSite=Lax(;|$)/);
    expect(setCookie).toMatch(/; Path=\/(;|$)/);
    expect(setCookie).not.toMatch(/Domain/i);
  });

  it('has a cookie that is Secure and for this host only, when the origin is https', async () => {
    const app = await buildDemo({ ...demo.options, origin: 'https://library.example' });
    const { setCookie } = await new Browser(app, 'https://library.example').post('/logout');
    expect(setCookie).toMatch(/^__Host-visitor=/);
    expect(setCookie).toMatch(/; Secure(;|$)/);
    await app.close();
  });

  it('has a cookie that cannot be altered', async () => {
    await browser.follow((await approved()).href);
    const genuine = browser.cookie ?? '';
    for (const altered of [genuine.replace('=', '=x'), genuine.slice(0, -2), genuine.replace('.', 'x.'), genuine.split('.')[0]]) {
      browser.cookie = altered;
      expect(await isLoggedIn()).toBe(false);
    }
    browser.cookie = genuine;
    expect(await isLoggedIn()).toBe(true);
  });

  it('refuses the client secret and a short secret for its cookie', async () => {
    await expect(buildDemo({ ...demo.options, cookieSecret: demo.options.clientSecret })).rejects.toThrow('another secret than clientSecret');
    await expect(buildDemo({ ...demo.options, cookieSecret: 'short' })).rejects.toThrow('32 characters');
  });

  it('ends after eight hours', async () => {
    await browser.follow((await approved()).href);
    demo.platform.clock.advance(8 * 60 * 60 * 1000);
    expect(await isLoggedIn()).toBe(false);
  });
});

describe('the callback', () => {
  it.each([
    ['no state', (url: URL) => url.searchParams.delete('state')],
    ['an empty state', (url: URL) => url.searchParams.set('state', '')],
    ['another state', (url: URL) => url.searchParams.set('state', 'A'.repeat(43))],
    ['the state twice', (url: URL) => url.searchParams.append('state', url.searchParams.get('state') ?? '')],
  ])('with %s is refused, and its code is not redeemed', async (_, change) => {
    const { redirect, sessionId } = await approvedSession();
    change(redirect);
    demo.log.length = 0;
    expect((await browser.follow(redirect.href)).status).toBe(400);
    expect(await isLoggedIn()).toBe(false);
    expect(demo.log[0]).toMatch(/^callback refused .*STATE_/);
    expect(await isRedeemed(sessionId)).toBe(false);
    expect((await browser.get('/waiting')).status).toBe(404);
  });

  it('of another browser is refused, so that an address sent to another person does not log in', async () => {
    const attacker = demo.browser();
    const { redirect, sessionId } = await approvedSession(attacker);
    expect((await browser.follow(redirect.href)).status).toBe(404);
    await browser.post('/login', { integration: 'OWN_PAGE' });
    expect((await browser.follow(redirect.href)).status).toBe(400);
    expect(await isLoggedIn()).toBe(false);
    expect(await isRedeemed(sessionId)).toBe(false);
  });

  it('that is opened a second time redeems nothing and does not change the account', async () => {
    const redirect = await approved();
    await browser.follow(redirect.href);
    expect((await browser.follow(redirect.href)).status).toBe(404);
    expect(await isLoggedIn()).toBe(true);
  });

  it('after the 60 s of its code shows that it is too late', async () => {
    const redirect = await approved();
    demo.platform.clock.advance(60_000);
    const answer = await browser.follow(redirect.href);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('That took too long');
  });
});

describe('forged requests', () => {
  it.each(['/login', '/logout', '/forget', '/waiting/completion', '/waiting/again', '/waiting/cancel'])(
    '%s takes a form from our own pages only',
    async (path) => {
      for (const origin of ['https://evil.example', 'null', 'http://localhost:4002', 'http://localhost:4001.evil.example']) {
        expect((await browser.post(path, { integration: 'OWN_PAGE' }, { origin })).status).toBe(403);
      }
      expect(browser.cookie).toBeUndefined();
    },
  );

  it('cannot log out or begin a login by a link', async () => {
    for (const path of ['/login', '/logout', '/forget', '/waiting/cancel']) expect((await browser.get(path)).status).toBe(404);
  });
});

describe('every page', () => {
  it.each(['/', '/waiting', '/account', '/callback', '/nothing', '/return?return_token=x'])(
    '%s has a strict content security policy',
    async (path) => {
      const { headers, text } = await browser.get(path);
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:\/\/(?!127\.0\.0\.1)/);
      expect(headers).toMatchObject({ 'referrer-policy': 'same-origin', 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
      expect(text).not.toMatch(/<script(?! type="module" src="\/assets\/)|<style| style=| on\w+="|javascript:/);
    },
  );
});

describe('hostile input', () => {
  it.each([
    ['no integration', {}],
    ['an unknown integration', { integration: 'MAGIC' }],
    ['a title that is too long', { integration: 'OWN_PAGE', title: 'x'.repeat(256) }],
    ['an attribute that is not offered', { integration: 'OWN_PAGE', attributes: 'personalCode' }],
    ['the same attribute twice', { integration: 'OWN_PAGE', attributes: ['name', 'name'] }],
  ])('%s is a bad form', async (_, form) => {
    expect((await browser.post('/login', form)).status).toBe(400);
  });

  it('never causes an internal error', async () => {
    const requests = [
      () => browser.post('/login', {}, { 'content-type': 'application/json' }),
      () => browser.post('/login', { integration: ['OWN_PAGE', 'HOSTED_PAGE'] }),
      () => browser.post('/waiting/again', { device: 'MOON' }),
      () => browser.get('/waiting/status'),
      () => browser.get('/waiting/status?login=a&login=b&since=DREAMING'),
      () => browser.get(`/return?return_token=${'x'.repeat(500)}`),
      () => browser.get('/callback?code=%00&state=%ff'),
      () => browser.get('/assets/../../package.json'),
      () => browser.get('/%2e%2e/%2e%2e/etc/passwd'),
      () => browser.get('/', { cookie: `visitor-4001=${'%'.repeat(3000)}` }),
    ];
    for (const request of requests) expect((await request()).status).toBeLessThan(500);
  });
});

it('shows that the login service does not answer', async () => {
  const app = await buildDemo({ ...demo.options, service: { ...demo.options.service, baseUrl: 'http://127.0.0.1:9' } });
  const answer = await new Browser(app, demo.options.origin).post('/login', { integration: 'OWN_PAGE' });
  expect(answer.status).toBe(503);
  expect(answer.text).toContain('does not answer');
  await app.close();
});
