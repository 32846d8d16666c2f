import { beforeEach, expect, it } from '@jest/globals';

import type { LoginSite } from './login-site.js';
import { Visitor } from './visitor.js';

const LOGGED_IN = /^You are logged in as [0-9a-f-]{36}\.$/;
const NOBODY = 'You are not logged in.';

/** The rules of a login at the site of a relying party, as tests: the same for each framework. */
export const keepsTheRulesOfALogin = (site: () => LoginSite): void => {
  let visitor: Visitor;
  beforeEach(() => {
    visitor = new Visitor(site());
  });

  it('logs a person in, and leads to the page that was asked for', async () => {
    const answer = await visitor.open(await visitor.confirmedLogin('/login?returnTo=/account%3Ftab%3D2'));
    expect([answer.status, answer.headers.location]).toEqual([303, '/account?tab=2']);
    expect(await visitor.shown()).toMatch(LOGGED_IN);
  });

  it('does not log in one who has planted a session in the browser of another', async () => {
    const attacker = new Visitor(site());
    await attacker.begin();
    visitor.plant(attacker.cookie);
    expect((await visitor.open(await visitor.confirmedLogin())).status).toBe(303);
    expect(await visitor.shown()).toMatch(LOGGED_IN);
    expect(visitor.cookie).not.toBe(attacker.cookie);
    expect(await attacker.shown()).toBe(NOBODY);
  });

  it('takes a callback once: a copy of it logs nobody in', async () => {
    const callback = await visitor.confirmedLogin();
    const copied = new Visitor(site());
    copied.plant(visitor.cookie);
    expect((await visitor.open(callback)).status).toBe(303);
    for (const browser of [visitor, copied, new Visitor(site())]) expect((await browser.open(callback)).status).toBe(400);
    expect(await copied.shown()).toBe(NOBODY);
    expect(await visitor.shown()).toMatch(LOGGED_IN);
  });

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', '/\t/evil.example', 'account'])(
    'sends nobody to %j after the login',
    async (returnTo) => {
      const answer = await visitor.open(await visitor.confirmedLogin(`/login?returnTo=${encodeURIComponent(returnTo)}`));
      expect([answer.status, answer.headers.location]).toEqual([303, '/']);
    },
  );

  it('refuses a callback in a browser that began no login, and one of another login', async () => {
    const callback = await visitor.confirmedLogin();
    const stranger = new Visitor(site());
    expect((await stranger.open(callback)).text).toBe('No login was begun in this browser.');
    await stranger.begin();
    const mixed = await stranger.open(callback);
    expect([mixed.status, mixed.text]).toEqual([400, 'This answer does not belong to the login that was begun in this browser.']);
    expect(await stranger.shown()).toBe(NOBODY);
    expect((await visitor.open(callback)).status).toBe(303);
  });

  it('says that a code of another login is too late, and tells the browser nothing of the answer', async () => {
    const callback = await visitor.confirmedLogin();
    callback.searchParams.set('code', 'of-another-login');
    const answer = await visitor.open(callback);
    expect([answer.status, answer.text]).toEqual([400, 'The login took too long. Begin again.']);
  });

  it('logs out by a POST alone', async () => {
    await visitor.open(await visitor.confirmedLogin());
    await visitor.send('GET', '/logout');
    expect(await visitor.shown()).toMatch(LOGGED_IN);
    expect((await visitor.send('POST', '/logout')).status).toBe(303);
    expect(await visitor.shown()).toBe(NOBODY);
  });

  it('begins no login for a HEAD, nor for a page that loads its links in advance', async () => {
    const hosted = await visitor.begin();
    expect((await visitor.send('HEAD', '/login')).status).toBe(404);
    for (const headers of [
      { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-mode': 'navigate', 'sec-purpose': 'prefetch' },
    ])
      expect((await visitor.send('GET', '/login', headers)).status).toBe(400);
    expect((await visitor.open(await visitor.confirm(hosted))).status).toBe(303);
    expect(await visitor.shown()).toMatch(LOGGED_IN);
  });
};
