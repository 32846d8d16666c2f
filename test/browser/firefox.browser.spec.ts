import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'puppeteer-core';

import { firefoxWindow, hasFirefox, startFirefox, useStage } from './support/index.js';

const stage = useStage();

const inFirefox = hasFirefox() || process.env['CI'] ? describe : describe.skip;

const at = (page: Page, testid: string) => page.locator(`[data-testid="${testid}"]`);
const textAt = (page: Page, testid: string): Promise<string> =>
  at(page, testid)
    .map((element) => element.textContent ?? '')
    .wait();
const isWide = (page: Page): Promise<boolean> => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);

inFirefox('in Firefox', () => {
  let firefox: Browser;
  beforeAll(async () => {
    firefox = await startFirefox();
  }, 60_000);
  afterAll(() => firefox?.close());

  it.each([
    ['on a phone', { width: 360, height: 740 }],
    ['on a desktop', { width: 1280, height: 800 }],
  ])('a member accepts an invitation, logs in on the hosted page, and changes a redirect URI, %s', async (_screen, viewport) => {
    const faults: string[] = [];
    const name = `Shop ${randomBytes(4).toString('hex')}`;
    const client = await stage.staff.ask('POST', '/clients', { name, redirect_uris: ['https://shop.example/back'] });
    const path = `/clients/${String(client['clientId'])}`;
    const { link } = await stage.staff.ask('POST', `${path}/invitations`, { label: 'shop-owner' });
    const phone = await stage.anyPhone();

    const page = await firefoxWindow(firefox, viewport, faults);
    await page.goto(String(link));
    expect(await isWide(page)).toBe(false);
    await at(page, 'log-in').click();
    await page.waitForSelector('html[data-state="WAITING"]');
    expect(await isWide(page)).toBe(false);
    await phone.paste(await page.$eval('[data-testid="open-app"]', (app) => app.getAttribute('href') ?? ''));
    await phone.confirm();
    await page.locator(`::-p-text(${name})`).click();
    expect(await textAt(page, 'client-id')).toBe(client['clientId']);
    expect(await textAt(page, 'quick-start')).toContain(`clientId: '${String(client['clientId'])}'`);
    await at(page, 'redirect-uris').fill('https://shop.example/another');
    await at(page, 'save').click();
    await page.waitForSelector('[data-testid="approval-code"]');
    const code = await textAt(page, 'approval-code');
    expect(await isWide(page)).toBe(false);
    await phone.openPushed();
    await phone.confirm(code);
    await page.waitForSelector('[data-testid="waiting-change"]');
    expect(await textAt(page, 'waiting-change')).toContain('https://shop.example/another');
    expect(await isWide(page)).toBe(false);

    await at(page, 'log-out').click();
    await at(page, 'log-in').wait();
    await page.reload();
    await at(page, 'log-in').wait();
    expect(faults).toEqual([]);
  });
});
