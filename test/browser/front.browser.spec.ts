import { expect } from '@jest/globals';

import { accessibilityFaults, Keyboard, layoutFaults, movingParts, pictureFaults, useStage, type Visitor } from './support/index.js';

const stage = useStage();

/** The address of the service, which has the port of the run. */
const SERVER = ['.scalar-reference-intro-server'];

const LANGUAGES = ['en', 'et', 'lv', 'lt', 'de', 'ru'];

const openReference = async (visitor: Visitor) => {
  const page = await visitor.context.newPage();
  // The script of the reference is large: a busy machine takes long until it has run.
  await page.goto(`${stage.addresses.service}/docs/`, { waitUntil: 'commit' });
  await page.getByRole('heading', { level: 1, name: 'Countersign' }).waitFor();
  await page.getByRole('heading', { name: 'Begin a login or a signature' }).waitFor();
  return page;
};

describe('the page at /', () => {
  it('leads to the demo, the phone, the portal, the documentation, the reference and health, by keyboard alone', async () => {
    const page = await (await stage.visitor()).open(`${stage.addresses.service}/`);
    for (const [name, path] of [
      ['demo', stage.addresses.demo],
      ['phone', stage.addresses.phone],
      ['portal', `${stage.addresses.service}/portal`],
      ['guide', `${stage.addresses.service}/guide/`],
      ['reference', `${stage.addresses.service}/docs/`],
      ['health', `${stage.addresses.service}/readyz`],
    ] as const) {
      await page.goto(`${stage.addresses.service}/`);
      await new Keyboard(page).activate(`[data-testid="${name}"]`);
      await page.waitForURL((url) => url.href.startsWith(path), { waitUntil: 'domcontentloaded' });
    }
  });

  it('is accessible and fits the window in every language, also at 320 pixels, at 200 % and with forced colours', async () => {
    const visitor = await stage.visitor();
    const page = await visitor.open(`${stage.addresses.service}/`);
    for (const language of LANGUAGES) {
      await page.locator(`a[hreflang="${language}"]`).click();
      await page.waitForURL(`**/?lang=${language}`);
      expect(await accessibilityFaults(page, `welcome in ${language}`)).toEqual([]);
      for (const width of [320, 640]) {
        await page.setViewportSize({ width, height: 640 });
        expect(await layoutFaults(page, `welcome in ${language}, ${width}`)).toEqual([]);
      }
    }
    await page.emulateMedia({ forcedColors: 'active' });
    expect(await accessibilityFaults(page, 'welcome, forced colours')).toEqual([]);
    expect((await movingParts(page)).reduced).toBe(0);
  });

  it('looks as accepted', async () => {
    const page = await (await stage.visitor()).open(`${stage.addresses.service}/`);
    expect(await pictureFaults(page, 'front-welcome')).toEqual([]);
  });

  it('speaks the language of the browser', async () => {
    const page = await (await stage.visitor({ locale: 'lv-LV' })).open(`${stage.addresses.service}/`);
    expect(await page.locator('html').getAttribute('lang')).toBe('lv');
  });
});

describe('the API reference', () => {
  // The stage fails the test for a violated policy, an error in the console and a request to a third party. The page is loaded once: its script is large.
  it('is accessible in each look and size, and sends a request of the demo client by keyboard alone from the operation on', async () => {
    const client = await stage.staff.ask('POST', '/clients', { name: `Reader ${Date.now()}`, redirect_uris: [`${stage.addresses.demo}/callback`] });
    const page = await openReference(await stage.visitor());
    expect(await pictureFaults(page, 'front-reference', SERVER, { fullPage: false })).toEqual([]);
    expect(await accessibilityFaults(page, 'reference')).toEqual([]);
    // 320 pixels, and a window of 1280 at 200 % (WCAG 2.2, 1.4.4 and 1.4.10).
    for (const width of [320, 640]) {
      await page.setViewportSize({ width, height: 400 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ forcedColors: 'active' });
    expect(await accessibilityFaults(page, 'reference, forced colours')).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
    const moving = await movingParts(page);
    expect(moving.otherwise).toBeGreaterThan(0);
    expect(moving.reduced).toBe(0);
    await page.getByLabel('Username').first().fill(String(client['clientId']));
    await page.getByLabel('Password').first().fill(String(client['clientSecret']));
    const test = page.getByRole('button', { name: 'Test Request (post /relying-party/v1/session)' }).first();
    await test.scrollIntoViewIfNeeded();
    await test.focus();
    await page.keyboard.press('Enter');
    const send = page.getByRole('button', { name: /^Send/ }).first();
    await send.waitFor();
    const answered = page.waitForResponse((response) => response.url().endsWith('/relying-party/v1/session'));
    await send.focus();
    await page.keyboard.press('Enter');
    const answer = await answered;
    expect(answer.status()).toBe(200);
    expect(await answer.json()).toMatchObject({ pushStatus: 'NOT_REQUESTED' });
  });
});
