import { describe, expect, it } from '@jest/globals';
import type { Page, Response } from 'playwright-core';

import { useStage, WebPhone } from './support/index.js';

const stage = useStage();

/** 400 kbit/s each way, 400 ms for each answer. */
const SLOW = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const KILOBYTE = 1024;

const ASSETS = '**/phone/assets/**';
const text = (page: Page, id: string): Promise<string | null> => page.locator(`#${id}`).textContent();

describe('the first frame of the web phone', () => {
  it('is the document alone: it tells the person what to do before anything else has arrived', async () => {
    const visitor = await stage.visitor({ serviceWorkers: 'block' });
    const page = await visitor.context.newPage();
    const responses: Response[] = [];
    page.on('response', (response) => responses.push(response));
    await page.route(ASSETS, () => undefined); // never answered
    await page.goto(await stage.activationLink(), { waitUntil: 'commit' });
    await page.locator('#first-title', { hasText: 'Set up this phone' }).waitFor();
    expect(await text(page, 'first-text')).toContain('Your activation code came with the link');
    expect(page.url()).not.toContain('activate');
    expect(
      responses.filter((response) => !response.url().includes('icon') && !response.url().includes('manifest')).map((response) => response.status()),
    ).toEqual([200]);
    const [document] = responses;
    expect(await document!.headerValue('content-encoding')).toBe('br');
    expect((await document!.request().sizes()).responseBodySize).toBeLessThan(8 * KILOBYTE);
  });

  it.each([
    ['et-EE', 'Seadista see telefon'],
    ['de-DE', 'Dieses Telefon einrichten'],
    ['ru-RU', 'Настройте этот телефон'],
    ['lv-LV', 'Iestatiet šo tālruni'],
    ['lt-LT', 'Paruoškite šį telefoną'],
    ['fr-FR', 'Set up this phone'],
  ])('speaks the language of the reader (%s)', async (locale, title) => {
    const visitor = await stage.visitor({ locale, serviceWorkers: 'block' });
    const page = await visitor.context.newPage();
    await page.route(ASSETS, () => undefined);
    await page.goto(stage.addresses.phone, { waitUntil: 'commit' });
    await page.locator('#first-title', { hasText: title }).waitFor();
  });

  it('says that there is no answer when the rest does not arrive, and goes on when it does', async () => {
    const visitor = await stage.visitor({ serviceWorkers: 'block' });
    const page = await visitor.context.newPage();
    let refused = 0;
    await page.route(ASSETS, (route) => (refused++ < 2 ? route.abort() : route.continue()));
    await page.goto(await stage.activationLink());
    await page.locator('#first-text', { hasText: 'could not be reached' }).waitFor();
    await new WebPhone(page).setUp();
  });
});

describe('on a slow network', () => {
  it('the phone shows its first frame after one request, and needs 30 kB until it can be set up', async () => {
    const visitor = await stage.visitor({ serviceWorkers: 'block' });
    const page = await visitor.context.newPage();
    const network = await visitor.context.newCDPSession(page);
    await network.send('Network.enable');
    await network.send('Network.emulateNetworkConditions', SLOW);
    await page.goto(await stage.activationLink(), { waitUntil: 'commit' });
    await new WebPhone(page).screen('ENROL_CODE');
    const seen = await page.evaluate(() => {
      const [frame] = performance.getEntriesByName('first-contentful-paint');
      const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
      const [document] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
      return {
        before: resources.filter(({ responseEnd }) => responseEnd > 0 && responseEnd < (frame?.startTime ?? 0)).map(({ name }) => name),
        bytes: [document, ...resources].reduce((sum, entry) => sum + (entry?.encodedBodySize ?? 0), 0),
        scripts: resources.filter(({ name }) => name.endsWith('.js')).length,
      };
    });
    expect(seen.before).toEqual([]);
    expect(seen.scripts).toBe(2);
    expect(seen.bytes).toBeLessThan(30 * KILOBYTE);
  });
});

describe('without an answer of the service', () => {
  it('home says so, with bars in the place of unknown values, and continues by itself', async () => {
    const phone = await stage.phone({ visitor: await stage.visitor({ serviceWorkers: 'block' }) });
    let hold: (() => void) | undefined;
    const held = new Promise<void>((resolve) => (hold = resolve));
    await phone.page.route('**/app/v1/device', async (route) => {
      await held;
      await route.abort();
    });
    await phone.page.reload();
    await phone.screen('HOME');
    expect(await phone.title()).toBe('Checking this phone…');
    expect(await phone.at('skeleton').count()).toBe(1);
    hold?.();
    await phone.at('title').filter({ hasText: 'No connection' }).waitFor();
    await phone.page.unroute('**/app/v1/device');
    await phone.at('title').filter({ hasText: 'Ready to confirm' }).waitFor();
  });

  it('a request is opened again by a button', async () => {
    const phone = await stage.phone({ visitor: await stage.visitor({ serviceWorkers: 'block' }) });
    const demo = await stage.demo(await stage.visitor());
    const link = await demo.logInOnHostedPage();
    await phone.page.route('**/scan', (route) => route.abort());
    await phone.enterLink(link);
    await phone.at('continue').click();
    await phone.at('try-again').waitFor();
    await phone.page.unroute('**/scan');
    await phone.at('try-again').click();
    await phone.screen('CONSENT');
  });
});
