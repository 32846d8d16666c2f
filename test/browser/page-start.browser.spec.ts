import { describe, expect, it } from '@jest/globals';
import type { Locator, Page, Route } from 'playwright-core';

import { eventually } from '#testkit/kernel/eventually';

import { UUID } from '../support/index.js';
import { accessibilityFaults, layoutFaults, pictureFaults, useStage, type Visitor } from './support/index.js';

const stage = useStage();

const LANGUAGES = ['en', 'et', 'de', 'ru', 'lv', 'lt'];

const notStarted = (page: Page): Locator => page.locator('.not-started');

/** All pages that have a script, by their addresses when nothing is asked of them. */
const pages = (): [name: string, address: string][] => {
  const { login, phone, service, demo } = stage.addresses;
  return [
    ['login', `${login}/`],
    ['phone', `${phone}/`],
    ['portal', `${service}/portal/`],
    ['demo', `${demo}/sign`],
    ['reference', `${service}/docs/`],
  ];
};

/** A browser as the oldest ones of the build's target: it lacks these functions. */
const withoutNewFunctions = async (visitor: Visitor): Promise<Visitor> => {
  await visitor.context.addInitScript(() => {
    for (const name of ['any', 'timeout']) Reflect.deleteProperty(AbortSignal, name);
    for (const name of ['canParse', 'parse']) Reflect.deleteProperty(URL, name);
  });
  return visitor;
};

/** Spoils the script inside the document, so that the policy refuses it, and every script file. */
const blockScripts = async (page: Page): Promise<void> => {
  await page.route('**/*.js', (route) => route.abort());
  await page.route(
    (url) => pages().some(([, address]) => new URL(address).href === url.href),
    async (route: Route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: (await answer.text()).replaceAll('<script>', '<script>;') });
    },
  );
};

/** The sentence waits some seconds for the script; the test does not. */
const waitNoLonger = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish();
  });

/** Milliseconds until the sentence appears. */
const delayOf = (sentence: Locator): Promise<number> =>
  sentence.evaluate((element) => element.getAnimations().reduce((sum, { effect }) => sum + (effect?.getTiming().delay ?? 0), 0));

describe('in a browser without the newest functions', () => {
  it('a person sets up the web phone and confirms a login of the demo and one of the portal', async () => {
    const phone = await stage.phone({ visitor: await withoutNewFunctions(await stage.visitor()) });
    const demo = await stage.demo(await withoutNewFunctions(await stage.visitor()));
    await phone.paste(await demo.logInOnHostedPage());
    await phone.confirm();
    expect(await demo.subjectId()).toMatch(UUID);
    await phone.at('done').click();
    await phone.at('title').filter({ hasText: 'Ready to confirm' }).waitFor();

    const portal = await (await withoutNewFunctions(await stage.visitor())).open(`${stage.addresses.service}/portal/`);
    await portal.getByTestId('log-in').click();
    await portal.locator('html[data-state="WAITING"]').waitFor();
    await phone.paste((await portal.getByTestId('open-app').getAttribute('href')) ?? '');
    await phone.confirm();
    // The person is no member, which the portal says.
    await portal.getByTestId('notice').filter({ hasText: /./ }).waitFor();
  });

  it('every page starts, and removes the sentence that says that it has not', async () => {
    const visitor = await withoutNewFunctions(await stage.visitor({ serviceWorkers: 'block' }));
    for (const [name, address] of [...pages(), ['welcome', `${stage.addresses.service}/`]] as const) {
      const page = await visitor.open(address);
      await eventually(async () => (await notStarted(page).count()) === 0, { what: `${name} starts` });
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.close();
    }
  });
});

describe('a page whose script does not run', () => {
  it('says so after a while, by day and by night, on a phone and at a desk, and axe finds no fault', async () => {
    const visitor = await stage.visitor({ serviceWorkers: 'block' });
    const faults: string[] = [];
    for (const [name, address] of pages()) {
      const page = await visitor.context.newPage();
      await blockScripts(page);
      await page.goto(address);
      expect(await notStarted(page).isVisible()).toBe(false);
      expect(await delayOf(notStarted(page))).toBeGreaterThanOrEqual(4000);
      await waitNoLonger(page);
      await notStarted(page).waitFor();
      for (const language of name === 'demo' || name === 'reference' ? [] : LANGUAGES)
        expect(await notStarted(page).locator(`p[lang="${language}"]`).isVisible()).toBe(true);
      faults.push(...(await pictureFaults(page, `not-started-${name}`)), ...(await accessibilityFaults(page, name)));
      await page.setViewportSize({ width: 320, height: 640 });
      faults.push(...(await layoutFaults(page, `${name}, 320`)));
      await page.close();
    }
    // The policy has refused the spoiled scripts.
    expect(visitor.faults.splice(0).every((fault) => fault.includes('script-src'))).toBe(true);
    expect(faults).toEqual([]);
  });

  it('says that it needs JavaScript where that is switched off', async () => {
    const visitor = await stage.visitor({ javaScriptEnabled: false });
    for (const [, address] of pages()) {
      const page = await visitor.open(address);
      const sentence = page.locator('noscript p').first();
      await sentence.waitFor();
      expect(await sentence.textContent()).toContain('This page needs JavaScript');
      expect(await notStarted(page).isVisible()).toBe(false);
      await page.close();
    }
  });
});

describe('a page whose program fails', () => {
  it.each([
    ['login', 'et', 'See leht ei käivitunud.'],
    ['phone', 'de', 'Diese Seite ist nicht gestartet.'],
  ])('says so in the language of the reader, and starts once the program works: %s', async (name, locale, text) => {
    const visitor = await stage.visitor({ serviceWorkers: 'block', locale });
    const page = await visitor.context.newPage();
    let fails = true;
    await page.route(`**/${name}/assets/main-*`, async (route) => {
      if (!fails) return route.continue();
      await route.fulfill({ contentType: 'text/javascript', body: 'Reflect.missing();' });
    });
    await page.goto(pages().find(([each]) => each === name)?.[1] ?? '');
    await notStarted(page).filter({ hasText: text }).waitFor();
    expect(await notStarted(page).locator('p:visible').count()).toBe(1);
    expect(await page.locator('[data-loading]').count()).toBe(0);
    expect(await accessibilityFaults(page, `${name}, failed`)).toEqual([]);
    fails = false;
    await notStarted(page).waitFor({ state: 'detached' });
    await page.getByTestId('title').waitFor();
  });

  it('says so on a phone whose browser gives it no keys, as it does to a page that came by http', async () => {
    const visitor = await stage.visitor({ serviceWorkers: 'block' });
    const page = await visitor.context.newPage();
    await page.addInitScript(() => void Reflect.deleteProperty(Crypto.prototype, 'subtle'));
    await page.goto(`${stage.addresses.phone}/`);
    await notStarted(page).filter({ hasText: 'This page has not started' }).waitFor();
  });
});

describe('the waiting page of the demo', () => {
  it('says that it has not started when its script does not arrive', async () => {
    const demo = await stage.demo(await stage.visitor());
    await demo.page.route('**/*.js', (route) => route.abort());
    await demo.logInHere();
    await waitNoLonger(demo.page);
    await notStarted(demo.page).waitFor();
    await demo.page.unroute('**/*.js');
    await demo.page.reload();
    await notStarted(demo.page).waitFor({ state: 'detached' });
    await demo.scene('PENDING');
  });
});
