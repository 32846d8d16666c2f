import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type Login, RelyingParty, Staff, UUID } from '../support/index.js';
import { ProductionHost } from './support/production-host.js';
import { payloadOf } from './support/scan-uri.js';
import { Visitor } from './support/visitor.js';
import { WebPhone } from './support/web-phone.js';

const REDIRECT_URI = 'https://shop.example/callback';
const ADDRESSES = ['https://id.example', 'https://phone.example', 'https://portal.example', 'https://shop.example'];

describe('a host in production, with TLS by a local CA (deploy/production)', () => {
  let host: ProductionHost;
  let staff: Staff;

  beforeAll(async () => {
    host = await ProductionHost.start();
    staff = new Staff(host);
  });
  afterAll(() => host[Symbol.asyncDispose]());

  const arrive = () => Visitor.arrive(host.browser, {}, ADDRESSES);

  /** A new person's phone, set up by the link of an activation code. */
  const setUpPhone = async () => {
    const code = await staff.activationCode(await staff.registerPerson());
    const holder = await arrive();
    const phone = new WebPhone(await holder.open(`https://phone.example/phone/#activate=${encodeURIComponent(code)}`));
    await phone.setUp();
    return { holder, phone };
  };

  it('logs a person in, from the hosted page over the web phone to the subjectId', async () => {
    const shop = await RelyingParty.register(host, { redirect_uris: [REDIRECT_URI] });
    const { holder, phone } = await setUpPhone();

    const login: Login = await shop.login({ hosted_page: true });
    const visitor = await arrive();
    await visitor.context.route('https://shop.example/**', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>The shop' }));
    const page = await visitor.open(`https://id.example/login/?t=${encodeURIComponent(login.handoffToken)}`);
    await page.locator('html[data-state="WAITING"]').waitFor();
    const cookies = await visitor.context.cookies();
    expect(cookies.length).toBeGreaterThan(0);
    for (const { domain, secure, httpOnly } of cookies)
      expect({ domain, secure, httpOnly }).toEqual({ domain: 'id.example', secure: true, httpOnly: true });
    await phone.paste(payloadOf(login.sessionId, ''));
    await phone.confirm();
    await page.waitForURL(`${REDIRECT_URI}?**`);

    const { code: answered, state } = Object.fromEntries(new URL(page.url()).searchParams) as { code: string; state: string };
    expect(state).toBe(login.state);
    const token = await shop.token(answered, login.verifier);
    expect(token.json).toMatchObject({ subjectId: expect.stringMatching(UUID) });
    expect([...holder.faults, ...visitor.faults]).toEqual([]);
    await Promise.all([holder.context.close(), visitor.context.close()]);
  });

  it('lets a person administrate at the portal, where an admin token is worth nothing', async () => {
    const { link } = await staff.ask('POST', '/invitations', { label: 'night-shift', roles: ['operator'] });
    const { holder, phone } = await setUpPhone();
    const visitor = await arrive();
    const page = await visitor.open(String(link));
    expect(page.url()).toBe('https://portal.example/portal/');
    await page.getByTestId('log-in').click();
    await page.locator('html[data-state="WAITING"]').waitFor();
    await phone.paste((await page.getByTestId('open-app').getAttribute('href')) ?? '');
    await phone.confirm();
    await page.getByTestId('log-out').waitFor();
    await page.getByTestId('new-name').fill('Harbour Bank');
    await page.getByTestId('new-redirect-uri').fill(REDIRECT_URI);
    await page.getByTestId('new-redirect-uri').press('Enter');
    await page.getByTestId('client-id').waitFor();
    expect([...holder.faults, ...visitor.faults]).toEqual([]);
    await Promise.all([holder.context.close(), visitor.context.close()]);

    const withToken = await host.browser.newContext({ extraHTTPHeaders: { authorization: `Bearer ${host.adminToken}` } });
    expect((await (await withToken.newPage()).goto('https://portal.example/admin/v1/clients'))?.status()).toBe(401);
    await withToken.close();
  });

  it('keeps the phone, the portal, the administration and the operations from the address of logins', async () => {
    const visitor = await arrive();
    const page = await visitor.context.newPage();
    for (const path of ['phone/', 'portal/', 'portal/v1/session', 'admin/v1/clients', 'metrics', 'readyz', 'sandbox/v1/phones'])
      expect([path, (await page.goto(`https://id.example/${path}`))?.status()]).toEqual([path, 404]);
    await visitor.context.close();
  });
});
