import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { chromium, type Page } from 'playwright-core';

import { CHROMIUM, FLAGS } from '../../testkit/programs/browsers/chromium.ts';
import { RelyingParty } from '../support/index.js';
import {
  accessibilityFaults,
  firefoxWindow,
  hasFirefox,
  type HostedLogin,
  hostedLogin,
  shopOrigin,
  startFirefox,
  useStage,
} from './support/index.js';

const stage = useStage();
const inFirefox = hasFirefox() || process.env['CI'] ? it : it.skip;

/** The address of the hosted page for a new login. */
const handoffAddress = async (): Promise<string> => {
  const redirectUri = `${await shopOrigin()}/callback`;
  const shop = await RelyingParty.register(stage.service, { redirect_uris: [redirectUri] });
  const { handoffToken } = await shop.login({ redirect_uri: redirectUri, hosted_page: true });
  return `${stage.addresses.login}/?t=${encodeURIComponent(handoffToken ?? '')}`;
};

/** Loses what the tab keeps, as browsers do that end a tab in the background, and opens the page again. */
const loseTab = async ({ page }: HostedLogin): Promise<void> => {
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
};

/** A window of a Chromium whose settings block all cookies. */
const withoutCookies = async (use: (page: Page) => Promise<void>): Promise<void> => {
  const profile = await mkdtemp(join(tmpdir(), 'profile-'));
  await mkdir(join(profile, 'Default'));
  const settings = { profile: { default_content_setting_values: { cookies: 2 } } };
  await writeFile(join(profile, 'Default/Preferences'), JSON.stringify(settings));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    args: FLAGS,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  });
  try {
    await use(await context.newPage());
  } finally {
    await context.close();
    await rm(profile, { recursive: true, maxRetries: 5 });
  }
};

describe('a browser that blocks cookies', () => {
  it('gets a page that says so and how to allow them, also after a reload', async () => {
    await withoutCookies(async (page) => {
      await page.goto(await handoffAddress());
      for (const time of ['after the claim', 'after a reload']) {
        if (time === 'after a reload') await page.reload();
        await page.locator('html[data-state="COOKIES_NEEDED"]').waitFor();
        expect(await page.getByTestId('title').textContent()).toBe('Cookies are needed');
        expect(await page.getByTestId('status').textContent()).toMatch(/Allow cookies for this page: in the settings of the browser/);
        expect(await accessibilityFaults(page, time)).toEqual([]);
      }
    });
  });

  inFirefox('gets the same page in Firefox', async () => {
    const firefox = await startFirefox({ 'network.cookie.cookieBehavior': 2 });
    try {
      const page = await firefoxWindow(firefox, { width: 1280, height: 800 }, []);
      await page.goto(await handoffAddress());
      await page.waitForSelector('html[data-state="COOKIES_NEEDED"]');
    } finally {
      await firefox.close();
    }
  });

  it('gets the same page where it keeps other cookies and this one does not arrive', async () => {
    const page = await (await stage.visitor()).context.newPage();
    await page.route('**/session/claim', async (route) => {
      const answer = await route.fetch();
      const { 'set-cookie': _, ...headers } = answer.headers();
      // The request of the test has put the cookie into the browser.
      await page.context().clearCookies();
      await route.fulfill({ response: answer, headers });
    });
    await page.goto(await handoffAddress());
    await page.locator('html[data-state="COOKIES_NEEDED"]').waitFor();
  });
});

describe('a browser that loses the cookie while the page waits', () => {
  it('gets a page that says only that the cookie is gone', async () => {
    const login = await hostedLogin(stage);
    await login.scan();
    await login.state('SCANNED');
    await login.page.context().clearCookies();
    await login.confirm();
    await login.state('COOKIE_GONE');
    expect(await login.at('status').textContent()).toContain('or the cookies were deleted');
  });
});

describe('a tab that lost its storage', () => {
  it('goes on by the cookie alone, before the scan and after it', async () => {
    const login = await hostedLogin(stage);
    await loseTab(login);
    await login.state('WAITING');
    expect(await login.at('qr-code').count()).toBe(1);
    await login.scan();
    await login.state('SCANNED');
    await loseTab(login);
    await login.state('SCANNED');
    await login.confirm();
    await login.page.waitForURL(/\/callback\?code=/);
  });

  it('goes on with a code that rotates, and with a signature', async () => {
    const rotating = await hostedLogin(stage, { dynamicQr: true });
    await loseTab(rotating);
    await rotating.state('WAITING');
    expect(await rotating.at('open-app').getAttribute('href')).toMatch(/[?&]a=/);
    const signing = await hostedLogin(stage, { signing: true });
    await loseTab(signing);
    await signing.state('WAITING');
    expect(await signing.at('document-name').textContent()).toBe('Rental contract.pdf');
  });
});
