import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';

import { NEEDED_FUNCTIONS } from '../../tools/pages/needed-functions.ts';
import { browserFunctions } from '../../tools/pages/newer-functions.ts';
import { accessibilityFaults, hostedLogin, layoutFaults, pictureFaults, useStage, type Visitor } from './support/index.js';

const stage = useStage();

/** Deletes functions before the scripts of a page run. A path ends at the member: `Array.prototype.at`. */
const without = async (visitor: Visitor, paths: readonly string[]): Promise<Visitor> => {
  await visitor.context.addInitScript((missing) => {
    for (const path of missing) {
      const names = path.split('.');
      const last = names.pop() ?? '';
      let owner: unknown = globalThis;
      for (const name of names) owner = (owner as Record<string, unknown> | undefined)?.[name];
      if (owner === undefined || owner === null) continue;
      const value: unknown = Reflect.getOwnPropertyDescriptor(owner, last)?.value;
      if (typeof value === 'function' || value === globalThis) Reflect.deleteProperty(owner, last);
    }
  }, paths);
  return visitor;
};

const tooOld = (page: Page, text = 'This browser is too old for this page.') => page.locator('#too-old p:visible', { hasText: text }).waitFor();

/** The pages with a credential in the address, as they are opened. */
const addresses = (): [name: string, address: string][] => [
  ['login', `${stage.addresses.login}/?t=secret`],
  ['phone', `${stage.addresses.phone}/#activate=secret`],
  ['portal', `${stage.addresses.service}/portal/#invitation=secret`],
];

describe('a browser that lacks one function that the pages call', () => {
  it('is told so at once, by each page, and nothing is sent to the service', async () => {
    for (const [index, path] of NEEDED_FUNCTIONS.entries()) {
      const visitor = await without(await stage.visitor({ serviceWorkers: 'block' }), [path]);
      // Each function on one of the pages, and the first one on all of them.
      for (const [, address] of addresses().filter((_, at) => index === 0 || at === index % 3)) {
        const page = await visitor.open(address);
        await tooOld(page);
        expect(await page.locator('#not-started, [data-loading]').count()).toBe(0);
        expect(page.url()).not.toContain('secret');
        await page.close();
      }
      expect([path, visitor.requests.filter((request) => request.url().includes('/v1/')).length]).toEqual([path, 0]);
    }
  });
});

describe('a browser that lacks all newer functions that the pages do not call', () => {
  it('sets up a phone, and logs in to a relying party and to the portal', async () => {
    const unused = browserFunctions()
      .filter(({ path, age }) => age !== 'OLD' && !NEEDED_FUNCTIONS.some((needed) => needed === path || needed.startsWith(`${path}.`)))
      .map(({ path }) => path);
    expect(unused).toEqual(
      expect.arrayContaining(['AbortSignal.any', 'AbortSignal.timeout', 'Array.prototype.toSorted', 'structuredClone', 'Object.groupBy']),
    );
    const older = async (): Promise<Visitor> => without(await stage.visitor(), unused);
    const phone = await stage.phone({ visitor: await older() });
    const login = await hostedLogin(stage, { visitor: await older() });
    await phone.paste((await login.at('open-app').getAttribute('href')) ?? '');
    await phone.confirm();
    await login.page.waitForURL(/\/callback\?code=/);
    await phone.at('done').click();

    const portal = await (await older()).open(`${stage.addresses.service}/portal/`);
    await portal.getByTestId('log-in').click();
    await portal.locator('html[data-state="WAITING"]').waitFor();
    await phone.paste((await portal.getByTestId('open-app').getAttribute('href')) ?? '');
    await phone.confirm();
    // The person is no member, which the portal says.
    await portal.getByTestId('notice').filter({ hasText: /./ }).waitFor();
  });
});

describe('a browser that cannot read the scripts of the pages', () => {
  /** The script that needs the syntax does not run, as its digest is wrong. */
  const cannotRead = async (visitor: Visitor): Promise<Visitor> => {
    await visitor.context.route(
      (url) => addresses().some(([, address]) => new URL(address).pathname === url.pathname),
      async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ response: answer, body: (await answer.text()).replace('<script>', '<script>;') });
      },
    );
    return visitor;
  };

  it.each([
    ['en-GB', 'This browser is too old for this page.'],
    ['et-EE', 'See brauser on selle lehe jaoks liiga vana.'],
    ['fr-FR', 'This browser is too old for this page.'],
  ])('is told so in the language of the reader (%s), by day and by night, and axe finds no fault', async (locale, text) => {
    const visitor = await cannotRead(await stage.visitor({ serviceWorkers: 'block', locale }));
    const faults: string[] = [];
    for (const [name, address] of addresses()) {
      const page = await visitor.open(address);
      await tooOld(page, text);
      expect(await page.locator('#too-old p:visible').count()).toBe(1);
      if (locale === 'en-GB') {
        faults.push(...(await pictureFaults(page, `too-old-${name}`)), ...(await accessibilityFaults(page, name)));
        await page.setViewportSize({ width: 320, height: 640 });
        faults.push(...(await layoutFaults(page, `${name}, 320`)));
      }
      await page.close();
    }
    // The policy has refused the spoiled script.
    expect(visitor.faults.splice(0).every((fault) => fault.includes('script-src'))).toBe(true);
    expect(faults).toEqual([]);
  });
});
