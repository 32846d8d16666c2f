import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';

import { UUID } from '../support/index.js';
import { sessionIn, useStage, type Visitor } from './support/index.js';

const stage = useStage();

let server: Server;

beforeAll(async () => {
  server = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html><title>Elsewhere</title>'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});

afterAll(() => {
  server.close();
});

/** An answer as the page that asked can see it. */
interface Seen {
  readonly outcome: 'READ' | 'OPAQUE' | 'BLOCKED';
  readonly status?: number;
}

interface Attempt {
  readonly url: string;
  readonly method: string;
  readonly header: boolean;
  readonly mode: 'cors' | 'no-cors';
}

/** The requests that a script of another site can make with the visitor's cookies. */
const attempt = (page: Page, what: Attempt): Promise<Seen> =>
  page.evaluate(async ({ url, method, header, mode }): Promise<Seen> => {
    try {
      const headers = header ? { 'X-Service-Login': '1' } : {};
      const response = await fetch(url, { method, mode, headers, credentials: 'include' });
      return response.type === 'opaque' ? { outcome: 'OPAQUE' } : { outcome: 'READ', status: response.status };
    } catch {
      return { outcome: 'BLOCKED' };
    }
  }, what);

const ATTEMPTS = [
  ['without the header', { header: false, mode: 'cors' }, 'BLOCKED'],
  ['with the header', { header: true, mode: 'cors' }, 'BLOCKED'],
  ['without the header, answer unseen', { header: false, mode: 'no-cors' }, 'OPAQUE'],
  ['with the header, which no-cors takes away', { header: true, mode: 'no-cors' }, 'OPAQUE'],
] as const;

const elsewhere = async (visitor: Visitor, host: string): Promise<Page> => {
  const { port } = server.address() as AddressInfo;
  const page = await visitor.open(`http://${host}:${port}/`);
  visitor.faults.splice(0);
  return page;
};

// The second shares the site, so that the cookie comes along with any SameSite.
describe.each([
  ['of another site', '127.0.0.1'],
  ['of the same site', 'localhost'],
])('a page of another origin %s', (_, host) => {
  it('can neither read nor complete a confirmed login: no request reaches the handler', async () => {
    const phone = await stage.anyPhone();
    const visitor = await stage.visitor();
    const demo = await stage.demo(visitor);
    const link = await demo.logInOnHostedPage();
    const sessionId = sessionIn(link);
    await demo.page.goto('about:blank');
    await phone.paste(link);
    await phone.confirm();
    const types = async (): Promise<unknown> => (await stage.staff.timeline(sessionId)).json?.['events'];
    const before = await types();
    expect(before).toEqual(expect.arrayContaining([expect.objectContaining({ type: 'SessionConfirmed' })]));

    const page = await elsewhere(visitor, host);
    const answers = answersTo(page, '/login-ui/v1/');
    const seen: Record<string, string> = {};
    for (const [name, how] of ATTEMPTS) {
      for (const [method, call] of [
        ['GET', 'status'],
        ['POST', 'completion'],
        ['POST', 'claim'],
      ] as const) {
        const url = `${stage.addresses.service}/login-ui/v1/session/${call}?sessionId=${sessionId}`;
        seen[`${call} ${name}`] = (await attempt(page, { url, method, ...how })).outcome;
      }
    }
    expect(seen).toEqual(
      Object.fromEntries(ATTEMPTS.flatMap(([name, , outcome]) => ['status', 'completion', 'claim'].map((call) => [`${call} ${name}`, outcome]))),
    );
    // The requests that arrived were refused for the missing header, before cookies and body were read.
    expect([...new Set(answers)]).toEqual([403]);
    expect(await types()).toEqual(before);

    visitor.faults.splice(0); // Chromium reports blocked requests on the console
    await demo.page.goto(`${stage.addresses.login}/#${sessionId}`);
    expect(await demo.subjectId()).toMatch(UUID);
  });

  it('cannot send a form there', async () => {
    const phone = await stage.anyPhone();
    const visitor = await stage.visitor();
    const demo = await stage.demo(visitor);
    const link = await demo.logInOnHostedPage();
    await demo.page.goto('about:blank');
    await phone.paste(link);
    await phone.confirm();
    const page = await elsewhere(visitor, host);
    const answered = page.waitForResponse((response) => response.url().includes('/login-ui/v1/'));
    await page.evaluate(
      (action) => {
        const form = document.createElement('form');
        Object.assign(form, { action, method: 'post', enctype: 'text/plain' });
        document.body.append(form);
        form.submit();
      },
      `${stage.addresses.service}/login-ui/v1/session/completion?sessionId=${sessionIn(link)}`,
    );
    expect((await answered).status()).toBe(403);
    visitor.faults.splice(0);
  });

  it.each(['login', 'phone', 'demo'] as const)('cannot put the page in a frame (%s)', async (name) => {
    const visitor = await stage.visitor();
    const page = await elsewhere(visitor, host);
    await page.evaluate((src) => {
      const frame = document.createElement('iframe');
      frame.src = src;
      document.body.append(frame);
      return new Promise((done) => (frame.onload = done));
    }, `${stage.addresses[name]}/`);
    const [frame] = page.frames().filter((candidate) => candidate !== page.mainFrame());
    expect(await frame?.locator('main').count()).toBe(0);
    visitor.faults.splice(0);
  });
});

/** The statuses of the page's requests, preflights left out. */
const answersTo = (page: Page, path: string): number[] => {
  const statuses: number[] = [];
  page.on('response', (response) => {
    if (response.url().includes(path) && response.request().method() !== 'OPTIONS') statuses.push(response.status());
  });
  return statuses;
};
