import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { Browser } from './browser.js';
import { type DemoFixture, demoFixture, linkOn, loginIdOn, ORIGIN, PIN, sceneOn } from './demo.fixture.js';
import { qrTextOn } from './read-qr.js';

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

let demo: DemoFixture;
let browser: Browser;

beforeAll(async () => {
  demo = await demoFixture();
});

afterAll(() => demo.close());

beforeEach(() => {
  browser = demo.browser();
});

const logIn = async (form: Record<string, string | string[]> = {}): Promise<void> => {
  await browser.post('/login', { integration: 'OWN_PAGE', ...form });
  await demo.mari.scan(qrTextOn(await browser.get('/waiting')));
  await demo.mari.confirm(PIN);
  await browser.follow((await browser.post('/waiting/completion')).location);
};

const subjectOf = async (): Promise<string> => /data-testid="subject-id">([^<]+)</.exec((await browser.get('/account')).text)?.[1] ?? '';

describe('the hosted page', () => {
  it('receives the browser with a handoff token, and sends it back to a login that opens the account', async () => {
    const begun = await browser.post('/login', {
      integration: 'HOSTED_PAGE',
      title: 'Renew your card',
      attributes: ['name'],
      predicates: ['ageOver18', 'ageOver21'],
    });
    expect(begun.status).toBe(303);
    expect(begun.location).toMatch(/\/login\/\?t=[\w.-]+$/);

    const page = await demo.hostedPage(begun.location ?? '');
    const scanned = await demo.mari.scan(page.qr);
    expect(scanned.ok && scanned.body).toMatchObject({ relyingPartyName: 'Harbour Library', title: 'Renew your card' });
    await demo.mari.confirm(PIN);
    const redirect = await page.complete();
    expect(redirect.startsWith(`${ORIGIN}/callback?`)).toBe(true);

    const callback = await browser.follow(redirect);
    expect(callback).toMatchObject({ status: 303, location: '/account' });
    const account = await browser.get('/account');
    expect(account.text).toMatch(UUID);
    expect(account.text).toContain('<bdi data-testid="attribute-name">Mari Maasikas</bdi>');
    expect(account.text).toContain('data-testid="predicate-ageOver18">Yes');
  });

  it('answers a predicate that does not hold with No', async () => {
    const begun = await browser.post('/login', { integration: 'HOSTED_PAGE', predicates: 'ageOver18' });
    const page = await demo.hostedPage(begun.location ?? '');
    await demo.anna.scan(page.qr);
    await demo.anna.confirm(PIN);
    await browser.follow(await page.complete());
    expect((await browser.get('/account')).text).toContain('data-testid="predicate-ageOver18">No');
  });
});

describe('our own waiting page', () => {
  it('shows a code that decodes to the payload of specification/login-ui.md#qr-payload', async () => {
    await browser.post('/login', { integration: 'OWN_PAGE' });
    const text = qrTextOn(await browser.get('/waiting'));
    expect(text).toMatch(new RegExp(`^countersign://app/scan\\?sessionId=${UUID.source}&returnUrl=${encodeURIComponent(`${ORIGIN}/waiting`)}$`));
  });

  it('follows the phone, from the code to the account', async () => {
    await browser.post('/login', { integration: 'OWN_PAGE' });
    const page = await browser.get('/waiting');
    const status = async (since: string) => JSON.parse((await browser.get(`/waiting/status?login=${loginIdOn(page)}&since=${since}`)).text);

    await demo.mari.scan(qrTextOn(page));
    expect(await status('PENDING')).toMatchObject({ scene: 'SCANNED', status: 'SCANNED', expiresAt: expect.any(Number) });
    await demo.mari.confirm(PIN);
    expect(await status('SCANNED')).toMatchObject({ scene: 'APPROVED', status: 'CONFIRMED' });

    const completed = await browser.post('/waiting/completion');
    expect(completed.status).toBe(303);
    expect(completed.location).toMatch(/^http:\/\/localhost:4001\/callback\?code=[^&]+&state=[^&]+$/);
    expect(await browser.follow(completed.location)).toMatchObject({ status: 303, location: '/account' });
    expect(await subjectOf()).toMatch(UUID);
  });

  it('shows the status without a script', async () => {
    await browser.post('/login', { integration: 'OWN_PAGE' });
    const page = await browser.get('/waiting');
    expect(page.text).toContain('<noscript><meta http-equiv="refresh" content="5" /></noscript>');
    await demo.mari.scan(qrTextOn(page));
    expect(sceneOn(await browser.get('/waiting'))).toBe('SCANNED');
    await demo.mari.confirm(PIN);
    expect(sceneOn(await browser.get('/waiting'))).toBe('APPROVED');
  });

  it('shows that the user declined, and offers another try', async () => {
    await browser.post('/login', { integration: 'OWN_PAGE' });
    await demo.mari.scan(qrTextOn(await browser.get('/waiting')));
    await demo.mari.decline('DECLINED');
    const ended = await browser.get('/waiting');
    expect(sceneOn(ended)).toBe('CANCELLED');
    await browser.post('/waiting/again');
    expect(sceneOn(await browser.get('/waiting'))).toBe('PENDING');
  });

  it('shows that the time is up', async () => {
    await browser.post('/login', { integration: 'OWN_PAGE' });
    demo.platform.clock.advance(121_000);
    expect(sceneOn(await browser.get('/waiting'))).toBe('EXPIRED');
  });

  it('tells the page of an older login that another one has replaced it', async () => {
    await browser.post('/login', { integration: 'OWN_PAGE' });
    const older = await browser.get('/waiting');
    await browser.post('/login', { integration: 'OWN_PAGE' });
    expect(JSON.parse((await browser.get(`/waiting/status?login=${loginIdOn(older)}`)).text)).toEqual({ scene: 'ELSEWHERE' });
  });

  it('ends the login on the phone when the user cancels', async () => {
    await browser.post('/login', { integration: 'OWN_PAGE' });
    const code = qrTextOn(await browser.get('/waiting'));
    expect(await browser.post('/waiting/cancel')).toMatchObject({ status: 303, location: '/' });
    expect(await demo.mari.scan(code)).toMatchObject({ ok: false, status: 410 });
    expect((await browser.get('/waiting')).status).toBe(404);
  });

  it('completes once; a second try leads back to the page, which says so', async () => {
    await browser.post('/login', { integration: 'OWN_PAGE' });
    await demo.mari.scan(qrTextOn(await browser.get('/waiting')));
    await demo.mari.confirm(PIN);
    await browser.post('/waiting/completion');
    expect(await browser.post('/waiting/completion')).toMatchObject({ status: 303, location: '/waiting' });
    expect(sceneOn(await browser.get('/waiting'))).toBe('ELSEWHERE');
  });
});

describe('the link on the same device', () => {
  const openLink = async (): Promise<string> => {
    await browser.post('/login', { integration: 'OWN_PAGE' });
    await browser.post('/waiting/again', { device: 'THIS_DEVICE' });
    return linkOn(await browser.get('/waiting'));
  };

  const approve = async (link: string): Promise<string> => {
    const scanned = await demo.mari.scan(link);
    await demo.mari.confirm(PIN);
    return scanned.ok ? (scanned.body.returnUrl ?? '') : '';
  };

  it('is offered first on a phone', async () => {
    await browser.post('/login', { integration: 'OWN_PAGE' }, { 'sec-ch-ua-mobile': '?1' });
    expect(linkOn(await browser.get('/waiting'))).toMatch(/^countersign:\/\/app\/scan\?/);
  });

  it('carries a new random value each time', async () => {
    const values = [await openLink(), await openLink()].map((link) =>
      new URL(new URL(link).searchParams.get('returnUrl') ?? '').searchParams.get('return_token'),
    );
    for (const value of values) expect(value).toMatch(/^[\w-]{43}$/);
    expect(values[0]).not.toBe(values[1]);
  });

  it('finishes the login in the browser that comes back through the app', async () => {
    const returnUrl = await approve(await openLink());
    expect(await browser.follow(returnUrl)).toMatchObject({ status: 303, location: '/waiting' });
    expect(sceneOn(await browser.get('/waiting'))).toBe('APPROVED');
    await browser.follow((await browser.post('/waiting/completion')).location);
    expect(await subjectOf()).toMatch(UUID);
  });

  it('does not log in a sender who waits until the victim has confirmed', async () => {
    await approve(await openLink());
    expect(sceneOn(await browser.get('/waiting'))).toBe('GO_BACK_THROUGH_THE_APP');
    expect((await browser.post('/waiting/completion')).status).toBe(403);
    expect((await browser.get('/account')).location).toBe('/');
  });

  it('ends the login for good when it comes back to another browser', async () => {
    const returnUrl = await approve(await openLink());
    const victim = demo.browser();
    expect((await victim.follow(returnUrl)).status).toBe(403);
    expect((await browser.follow(returnUrl)).status).toBe(403);
    expect((await browser.post('/waiting/completion')).status).toBe(403);
    expect((await browser.get('/account')).location).toBe('/');
  });

  it('is offered for the web phone too', async () => {
    const link = await openLink();
    expect((await browser.get('/waiting')).text).toContain(`href="${demo.options.service.appUrl}/#${encodeURIComponent(link)}"`);
  });
});

// docs/security/cross-device.md: a static code can be made into a link, and the client is not told how the phone came to the session.
describe('the code for another device, sent as a link,', () => {
  it('logs in its sender when the victim approves: a static code does not stop that', async () => {
    await browser.post('/login', { integration: 'OWN_PAGE' });
    await demo.mari.scan(qrTextOn(await browser.get('/waiting')), { via: 'link' });
    await demo.mari.confirm(PIN);
    expect(sceneOn(await browser.get('/waiting'))).toBe('APPROVED');
  });
});

describe('the push', () => {
  it('calls the phone of the person who logged in last, and only that person can approve', async () => {
    await logIn();
    const subjectId = await subjectOf();
    await browser.post('/logout');
    await browser.post('/login', { integration: 'OWN_PAGE', push: 'yes' });
    expect((await browser.get('/waiting')).text).toContain('We have sent a request to your phone.');
    const pending = await demo.mari.pending();
    const sessionId = pending.ok ? pending.body.sessions.at(-1)?.sessionId : undefined;
    expect(await demo.anna.scan(sessionId ?? '')).toMatchObject({ ok: false, status: 403 });
    await demo.mari.scan(sessionId ?? '');
    await demo.mari.confirm(PIN);
    await browser.follow((await browser.post('/waiting/completion')).location);
    expect(await subjectOf()).toBe(subjectId);
  });

  it('is not offered and sends no push in a browser without an earlier login', async () => {
    expect((await browser.get('/')).text).not.toContain('data-testid="push"');
    await browser.post('/login', { integration: 'OWN_PAGE', push: 'yes' });
    expect((await browser.get('/waiting')).text).not.toContain('data-testid="push-note"');
  });

  it('is not offered once the user has removed the remembered subject', async () => {
    await logIn();
    await browser.post('/logout');
    expect((await browser.get('/')).text).toContain('data-testid="push"');
    await browser.post('/forget');
    expect((await browser.get('/')).text).not.toContain('data-testid="push"');
  });
});

it('gives the same person the same subjectId each time', async () => {
  await logIn();
  const first = await subjectOf();
  browser = demo.browser();
  await logIn();
  expect(await subjectOf()).toBe(first);
});

it('logs errorCode and status of a refusal, and nothing of the request', async () => {
  demo.log.length = 0;
  await browser.post('/login', { integration: 'OWN_PAGE', title: 'a\u202eb' });
  expect(demo.log).toEqual(['the login service refused {"status":400,"errorCode":"invalid_request"}']);
});
