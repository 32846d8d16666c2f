import { chromium } from 'playwright-core';

import { CHROMIUM, FLAGS } from '../../../testkit/programs/browsers/chromium.ts';
import { hasWebKit, WebKitWindow } from '../../../testkit/programs/browsers/webkit.ts';
import { firefoxWindow, hasFirefox, startFirefox } from './firefox.js';

/** A window of one of the browsers of docs/browsers.md, with an empty profile. It takes certificates of an unknown CA. */
export interface DeclaredWindow extends AsyncDisposable {
  goto(url: string): Promise<void>;
  /** Waits until an element is there and shown; by a CSS selector. */
  see(selector: string): Promise<void>;
  click(selector: string): Promise<void>;
}

export interface DeclaredBrowser {
  readonly name: string;
  readonly isThere: () => boolean;
  readonly open: () => Promise<DeclaredWindow>;
}

const VIEWPORT = { width: 390, height: 844 };

const openChromium = async (): Promise<DeclaredWindow> => {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: VIEWPORT, reducedMotion: 'reduce' });
  const page = await context.newPage();
  return {
    goto: async (url) => void (await page.goto(url)),
    see: (selector) => page.locator(selector).first().waitFor(),
    click: (selector) => page.locator(selector).first().click(),
    [Symbol.asyncDispose]: () => browser.close(),
  };
};

const openFirefox = async (): Promise<DeclaredWindow> => {
  const browser = await startFirefox({}, { acceptInsecureCerts: true });
  const page = await firefoxWindow(browser, VIEWPORT, []);
  return {
    goto: async (url) => void (await page.goto(url)),
    see: async (selector) => void (await page.locator(selector).wait()),
    click: (selector) => page.locator(selector).click(),
    [Symbol.asyncDispose]: () => browser.close(),
  };
};

export const DECLARED_BROWSERS: readonly DeclaredBrowser[] = [
  { name: 'Chromium', isThere: () => true, open: openChromium },
  { name: 'Firefox ESR', isThere: hasFirefox, open: openFirefox },
  { name: 'WebKitGTK', isThere: hasWebKit, open: () => WebKitWindow.open() },
];
