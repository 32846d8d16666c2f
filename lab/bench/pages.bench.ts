import { randomBytes } from 'node:crypto';

import { type Browser, chromium } from 'playwright-core';

import { CHROMIUM, FLAGS } from '../../testkit/programs/browsers/chromium.ts';
import type { RelyingParty } from './relying-party.js';
import { table } from './report.js';

/** A slow mobile network: 400 kbit/s each way, 400 ms for each answer. */
const SLOW = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const ROUNDS = 5;

interface SlowPage {
  readonly name: string;
  /** Answers the address of a first visit below the service's; each visit has its own. */
  readonly path: () => Promise<string>;
  /** Selector of the elements that a person can act on. */
  readonly usable: string;
}

const pagesOf = (relyingParty: RelyingParty): readonly SlowPage[] => [
  { name: 'Web phone, first visit', path: async () => '/phone/#activate=bench', usable: '[data-testid="next"]' },
  {
    name: 'Hosted page, a login',
    path: async () => `/login/?t=${encodeURIComponent(await relyingParty.handoffToken(randomBytes(32).toString('base64url')))}`,
    usable: '[data-testid="qr-code"]',
  },
];

interface FirstVisit {
  /** Milliseconds from the start of the navigation to the first contentful paint. */
  readonly firstFrame: number;
  /** Milliseconds until the page can be acted upon. */
  readonly usable: number;
  readonly requestsBeforeFrame: number;
}

/**
 * The first visit to each page on a slow network, with an empty cache.
 *
 * @param url the service's own address, which its pages call
 */
export const pagesChapter = async (url: string, relyingParty: RelyingParty): Promise<string> => {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  try {
    const rows: string[][] = [];
    for (const page of pagesOf(relyingParty)) {
      const visits: FirstVisit[] = [];
      while (visits.length < ROUNDS) visits.push(await firstVisit(browser, url, page));
      const median = (value: (visit: FirstVisit) => number): string =>
        String(Math.round(visits.map(value).sort((a, b) => a - b)[ROUNDS >> 1] ?? NaN));
      rows.push([
        page.name,
        median(({ firstFrame }) => firstFrame),
        median(({ usable }) => usable),
        median(({ requestsBeforeFrame }) => requestsBeforeFrame),
      ]);
    }
    return [
      '## Pages on a slow network',
      '',
      `400 kbit/s, 400 ms for each answer, empty cache; the median of ${ROUNDS} visits in a real browser. The first frame shows what the document itself holds, before a script runs.`,
      '',
      table(['', 'first frame ms', 'usable ms', 'requests before the first frame'], rows),
      '',
    ].join('\n');
  } finally {
    await browser.close();
  }
};

const firstVisit = async (browser: Browser, url: string, { path, usable }: SlowPage): Promise<FirstVisit> => {
  const address = await path();
  const context = await browser.newContext({ serviceWorkers: 'block' });
  try {
    const page = await context.newPage();
    const network = await context.newCDPSession(page);
    await network.send('Network.enable');
    await network.send('Network.emulateNetworkConditions', SLOW);
    await page.goto(url + address, { waitUntil: 'commit' });
    await page.locator(usable).waitFor();
    // The page's own clock, whose zero is the start of the navigation. As a text: this program is compiled without a browser's types.
    return await page.evaluate<FirstVisit>(`(() => {
      const firstFrame = performance.getEntriesByName('first-contentful-paint')[0].startTime;
      const before = performance.getEntriesByType('resource').filter(({ responseEnd }) => responseEnd > 0 && responseEnd < firstFrame);
      return { firstFrame, usable: performance.now(), requestsBeforeFrame: 1 + before.length };
    })()`);
  } finally {
    await context.close();
  }
};
