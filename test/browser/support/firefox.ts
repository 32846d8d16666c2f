import { existsSync } from 'node:fs';

import puppeteer, { type Browser, type Page } from 'puppeteer-core';

import { SAME_FONTS } from '../../../testkit/programs/browsers/chromium.ts';

/** Debian's Firefox, or the one that FIREFOX names. */
const FIREFOX = process.env['FIREFOX'] ?? '/usr/bin/firefox-esr';

export const hasFirefox = (): boolean => existsSync(FIREFOX);

/** Playwright drives only Firefox builds of its own. Puppeteer drives every Firefox, by WebDriver BiDi. The preferences are those of `about:config`. */
export const startFirefox = (
  preferences: Readonly<Record<string, unknown>> = {},
  { acceptInsecureCerts = false }: { readonly acceptInsecureCerts?: boolean } = {},
): Promise<Browser> =>
  puppeteer.launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    headless: true,
    acceptInsecureCerts,
    defaultViewport: null,
    env: SAME_FONTS,
    extraPrefsFirefox: { ...preferences },
  });

/** A window with an empty profile. `faults` gets what the page logs as an error, what it throws, and each breach of its policy. */
export const firefoxWindow = async (
  firefox: Browser,
  viewport: { readonly width: number; readonly height: number },
  faults: string[],
): Promise<Page> => {
  const context = await firefox.createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  await page.evaluateOnNewDocument(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`policy violated: ${violatedDirective} by ${blockedURI}`);
    });
  });
  await page.setViewport(viewport);
  return page;
};
