import { describe, expect, it } from '@jest/globals';
import type { Page, Request } from 'playwright-core';

import { secret, secretLogLines, startsOwn, UUID } from '../support/index.js';
import { handoffTokenIn, sessionIn, useStage } from './support/index.js';

const stage = useStage();

const addressesInHistory = async (page: Page): Promise<string[]> => {
  const { entries } = await (await page.context().newCDPSession(page)).send('Page.getNavigationHistory');
  return entries.map(({ url }) => url);
};

describe('the handoff token', () => {
  it('is gone from the address before anything else is loaded, and stands in no history entry, Referer, request or log line', async () => {
    const phone = await stage.anyPhone();
    const visitor = await stage.visitor();
    const demo = await stage.demo(visitor);
    const opened = stage.handoff(demo);
    const link = await demo.logInOnHostedPage();
    const token = handoffTokenIn(await opened);
    expect(token.length).toBeGreaterThan(20);
    expect(demo.page.url()).toBe(`${stage.addresses.login}/`);
    expect((await addressesInHistory(demo.page)).filter((url) => url.includes(token))).toEqual([]);

    await phone.paste(link);
    await phone.confirm();
    const subjectId = await demo.subjectId();
    expect(subjectId).toMatch(UUID);

    expect((await addressesInHistory(demo.page)).filter((url) => url.includes(token))).toEqual([]);
    const [navigation, claim, ...others] = await carriers(visitor.requests, token);
    expect([navigation, claim, others]).toEqual([
      `url of ${new URL(`${stage.addresses.login}/`).pathname}`,
      'body of /login-ui/v1/session/claim',
      [],
    ]);
    const referers = await Promise.all(visitor.requests.map(async (request) => (await request.allHeaders())['referer'] ?? ''));
    expect(referers.filter((referer) => referer.startsWith(stage.addresses.login))).toEqual([]);
    if (startsOwn) expect(secretLogLines()).toEqual([]);
  });

  it('is not kept by the page, nor is the cookie within reach of a script', async () => {
    const visitor = await stage.visitor();
    const demo = await stage.demo(visitor);
    const opened = stage.handoff(demo);
    const sessionId = sessionIn(await demo.logInOnHostedPage());
    const token = handoffTokenIn(await opened);
    const kept = await demo.page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state, location.href, document.documentElement.outerHTML]),
    );
    expect(kept).toContain(sessionId);
    expect(kept).not.toContain(token);
    expect(await demo.page.evaluate(() => document.cookie)).toBe('');
    const cookie = (await visitor.context.cookies(`${stage.addresses.service}/login-ui/v1/session/status`)).find(({ name }) => name === 'svc_login');
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Lax', path: '/login-ui/v1' });
    secret('login cookie', cookie!.value);
  });
});

describe('the hosted page', () => {
  it('receives no data about the user', async () => {
    const person = await stage.staff.registerPerson();
    const phone = await stage.phone({ of: person });
    const visitor = await stage.visitor();
    const demo = await stage.demo(visitor);
    // Read on the way to the page: the browser forgets the body of an answer when the page navigates.
    const heard: string[] = [];
    await visitor.context.route(`${stage.addresses.service}/login-ui/**`, async (route) => {
      const response = await route.fetch({ timeout: 60_000 });
      heard.push(await response.text());
      await route.fulfill({ response }).catch(() => undefined); // the page may have left meanwhile
    });
    await phone.paste(await demo.logInOnHostedPage());
    await phone.confirm();
    const subjectId = await demo.subjectId();
    const all = heard.join('\n');
    expect(all).toContain('CONFIRMED');
    for (const told of [subjectId, person.identityId, person.given_name, person.family_name, person.personal_code]) expect(all).not.toContain(told);
  });

  it('has deleted its cookie when the login is done', async () => {
    const phone = await stage.anyPhone();
    const visitor = await stage.visitor();
    const demo = await stage.demo(visitor);
    await phone.paste(await demo.logInOnHostedPage());
    await phone.confirm();
    await demo.subjectId();
    const cookies = await visitor.context.cookies(`${stage.addresses.service}/login-ui/v1/session/status`);
    expect(cookies.filter(({ name }) => name === 'svc_login')).toEqual([]);
  });
});

describe('the web phone', () => {
  it('keeps keys that no script can export', async () => {
    const phone = await stage.phone();
    const extractable = await phone.page.evaluate(async () => {
      const found: boolean[] = [];
      const search = (value: unknown): void => {
        if (value instanceof CryptoKey) found.push(...(value.type === 'public' ? [] : [value.extractable]));
        else if (typeof value === 'object' && value !== null) Object.values(value).forEach(search);
      };
      for (const { name = '' } of await indexedDB.databases()) {
        const open = indexedDB.open(name);
        const database = await new Promise<IDBDatabase>((done) => (open.onsuccess = () => done(open.result)));
        for (const store of database.objectStoreNames) {
          const all = database.transaction(store).objectStore(store).getAll();
          search(await new Promise<unknown>((done) => (all.onsuccess = () => done(all.result))));
        }
        database.close();
      }
      return found;
    });
    // To sign in, to sign documents, and to prove the PIN.
    expect(extractable).toEqual([false, false, false]);
  });

  it('keeps neither PIN nor activation code', async () => {
    const phone = await stage.phone();
    expect(phone.page.url()).toBe(`${stage.addresses.phone}/`);
    expect((await addressesInHistory(phone.page)).filter((url) => url.includes('activate='))).toEqual([]);
    expect(await phone.page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).toBe('[{"countersign.phone":"1"},{}]');
  });
});

/** The places of a value in the sent requests. */
const carriers = async (requests: readonly Request[], value: string): Promise<string[]> => {
  const found: string[] = [];
  for (const request of requests) {
    const { pathname } = new URL(request.url());
    if (request.url().includes(value)) found.push(`url of ${pathname}`);
    if (request.postData()?.includes(value)) found.push(`body of ${pathname}`);
    if (JSON.stringify(await request.allHeaders()).includes(value)) found.push(`header of ${pathname}`);
  }
  return found;
};
