import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';

import { accessibilityFaults, Keyboard, pictureFaults, useStage } from './support/index.js';

const stage = useStage();

/** The stage fails a test for a violated policy, an error in the console and a request to a third party. */
const openGuide = async (path = '', options: Parameters<typeof stage.visitor>[0] = {}): Promise<Page> =>
  (await stage.visitor(options)).open(`${stage.addresses.service}/guide/${path}`);

describe('the documentation', () => {
  it('is found from the page at /', async () => {
    const page = await (await stage.visitor()).open(`${stage.addresses.service}/`);
    await page.getByTestId('guide').click();
    await page.getByRole('heading', { level: 1, name: 'The documentation of Countersign' }).waitFor();
  });

  it('is searched and read by keyboard alone', async () => {
    const page = await openGuide();
    const keyboard = new Keyboard(page);
    await keyboard.press('/');
    await page.locator('dialog.search[open]').waitFor();
    await keyboard.type('codes that change');
    await page.getByRole('link', { name: 'Codes that change each second (frames)' }).first().waitFor();
    expect(await page.getByRole('status').textContent()).toMatch(/^\d+ results$/);
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowUp');
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await page.waitForURL('**/guide/relying-party/frames#codes-that-change-each-second-frames');
    await keyboard.press('Control+k');
    await keyboard.type('xylophonist');
    await page.getByText('Nothing was found.').waitFor();
    await keyboard.press('Escape');
    expect(await page.locator('dialog.search[open]').count()).toBe(0);
    await page.locator('.skip').focus();
    await keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
    await keyboard.activate('article a[href="plain-http#begin"]');
    await page.waitForURL('**/guide/relying-party/plain-http#begin');
  });

  it('leads from page to page through the guide', async () => {
    const page = await openGuide('relying-party/register');
    const titles: string[] = [];
    while (await page.locator('a[rel="next"]').count()) {
      titles.push((await page.locator('h1').textContent()) ?? '');
      const next = await page.locator('a[rel="next"]').evaluate((link: HTMLAnchorElement) => link.href);
      await page.locator('a[rel="next"]').click();
      await page.waitForURL(next);
    }
    expect(titles.length).toBeGreaterThanOrEqual(8);
  });

  it('has its pages without a script too', async () => {
    const page = await openGuide('relying-party', { javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
    expect(await page.locator('.open-search').isVisible()).toBe(false);
    await page.getByRole('link', { name: '2. The first login' }).first().click();
    await page.waitForURL('**/guide/relying-party/first-login');
  });

  it('opens the list of pages by its button on a narrow window, and closes it by Escape', async () => {
    const page = await openGuide('relying-party', { viewport: { width: 390, height: 844 } });
    const list = page.locator('#pages');
    expect(await list.isVisible()).toBe(false);
    await new Keyboard(page).activate('.open-pages');
    expect([await list.isVisible(), await page.locator('.open-pages').getAttribute('aria-expanded')]).toEqual([true, 'true']);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    expect([await list.isVisible(), await page.evaluate(() => document.activeElement?.className)]).toEqual([false, 'open-pages']);
  });

  it('has a feed that is well-formed', async () => {
    const page = await openGuide();
    const feed = await page.evaluate(async () => {
      const href = document.querySelector<HTMLLinkElement>('link[type="application/atom+xml"]')?.href ?? '';
      const read = new DOMParser().parseFromString(await (await fetch(href)).text(), 'application/xml');
      return {
        faults: read.querySelectorAll('parsererror').length,
        entries: [...read.querySelectorAll('entry > title')].map((title) => title.textContent),
      };
    });
    expect(feed.faults).toBe(0);
    expect(feed.entries).toContain('Countersign 0.1.0');
  });

  it.each([
    ['', 'home'],
    ['relying-party/first-login', 'page'],
    ['adr/', 'list'],
    ['errors', 'table'],
  ])('is accessible in each look and size: %s', async (path, name) => {
    const page = await openGuide(path);
    expect(await accessibilityFaults(page, `guide ${name}`)).toEqual([]);
    for (const width of [320, 640]) {
      await page.setViewportSize({ width, height: 640 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    await page.emulateMedia({ forcedColors: 'active' });
    expect(await accessibilityFaults(page, `guide ${name}, forced colours`)).toEqual([]);
  });

  it('is accessible while it is searched', async () => {
    const page = await openGuide();
    await page.getByRole('button', { name: 'Search' }).click();
    await page.keyboard.type('webhook');
    await page.locator('.search li').first().waitFor();
    expect(await accessibilityFaults(page, 'guide, search')).toEqual([]);
  });

  it('looks as accepted', async () => {
    const page = await openGuide('relying-party/login-url');
    expect(await pictureFaults(page, 'guide-page', ['.pages'])).toEqual([]);
    await page.goto(`${stage.addresses.service}/guide/`);
    expect(await pictureFaults(page, 'guide-home', [], { fullPage: false })).toEqual([]);
  });
});
