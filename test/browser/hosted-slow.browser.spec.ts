import { describe, expect, it } from '@jest/globals';
import type { Page, Response } from 'playwright-core';

import { HASH } from '../support/index.js';
import { hostedLogin, shopOrigin, useStage } from './support/index.js';

const stage = useStage();

/** Bytes a second each way (400 kbit/s), and milliseconds for each answer. */
const SLOW = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const KILOBYTE = 1024;

const ASSETS = '**/login/assets/**';
const CLAIM = '**/login-ui/v1/session/claim';

/** The address that a relying party redirects the browser to. */
const handoffAddress = async (): Promise<string> => {
  const { shop } = await hostedLogin(stage);
  const { handoffToken } = await shop.login({ redirect_uri: `${await shopOrigin()}/callback`, hosted_page: true });
  return `${stage.addresses.login}/?t=${encodeURIComponent(handoffToken ?? '')}`;
};

const firstFrame = async (page: Page, title: string): Promise<void> => page.locator('#first-title', { hasText: title }).waitFor();

describe('the first frame of the hosted page', () => {
  it('is the document alone: it says what to do before anything else has arrived', async () => {
    const address = await handoffAddress();
    const page = await (await stage.visitor()).context.newPage();
    const responses: Response[] = [];
    page.on('response', (response) => responses.push(response));
    await page.route(ASSETS, () => undefined); // never answered
    await page.route(CLAIM, () => undefined);
    await page.goto(address, { waitUntil: 'commit' });
    await firstFrame(page, 'Confirm with your phone');
    expect(await page.locator('#first-detail').textContent()).toBe('Open the Countersign app.');
    expect(await page.locator('.qr-skeleton').isVisible()).toBe(true);
    expect(page.url()).toBe(`${stage.addresses.login}/`);
    expect(responses.map((response) => response.status())).toEqual([200]);
    const [document] = responses;
    expect(await document!.headerValue('content-encoding')).toBe('br');
    const bytes = (await document!.request().sizes()).responseBodySize;
    expect(bytes).toBeLessThan(8 * KILOBYTE);
    // One answer of 400 ms and these bytes at 400 kbit/s: less than a second.
    expect(SLOW.latency + (bytes / SLOW.downloadThroughput) * 1000).toBeLessThan(600);
  });

  it.each([
    ['et-EE', 'Kinnita telefoniga'],
    ['ru-RU', 'Подтвердите с телефона'],
    ['fr-FR', 'Confirm with your phone'],
  ])('speaks the language of the reader (%s)', async (locale, title) => {
    const page = await (await stage.visitor({ locale })).context.newPage();
    await page.route(ASSETS, () => undefined);
    await page.goto(`${stage.addresses.login}/#r`, { waitUntil: 'commit' });
    await firstFrame(page, title);
  });

  it('says that there is nothing to confirm when it is opened without a request', async () => {
    const page = await (await stage.visitor()).context.newPage();
    await page.route(ASSETS, () => undefined);
    await page.goto(`${stage.addresses.login}/`, { waitUntil: 'commit' });
    await firstFrame(page, 'Nothing to confirm');
    expect(await page.locator('.qr-skeleton').count()).toBe(0);
  });

  it('says that there is no connection when the rest does not arrive, and goes on when it does', async () => {
    const address = await handoffAddress();
    const page = await (await stage.visitor()).context.newPage();
    let refused = 0;
    await page.route(ASSETS, (route) => (refused++ < 2 ? route.abort() : route.continue()));
    await page.goto(address);
    await page.locator('#first-text', { hasText: 'No connection' }).waitFor();
    await page.locator('html[data-state="WAITING"]').waitFor();
  });
});

describe('the hosted page on a slow network', () => {
  it('shows its first frame after one request, and the code after one call of the service', async () => {
    const address = await handoffAddress();
    const visitor = await stage.visitor();
    const page = await visitor.context.newPage();
    const network = await visitor.context.newCDPSession(page);
    await network.send('Network.enable');
    await network.send('Network.emulateNetworkConditions', SLOW);
    const calls: string[] = [];
    page.on('request', (request) => request.url().includes('/login-ui/') && calls.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await page.goto(address, { waitUntil: 'commit' });
    await page.getByTestId('qr-code').waitFor();
    expect(calls.slice(0, 2)).toEqual(['POST /login-ui/v1/session/claim', 'GET /login-ui/v1/session/status']);
    const seen = await page.evaluate(() => {
      const frame = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
      const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
      const [document] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
      const own = resources.filter(({ name }) => !name.includes('/login-ui/'));
      const [claim] = resources.filter(({ name }) => name.endsWith('/claim'));
      return {
        before: resources.filter(({ responseEnd }) => responseEnd > 0 && responseEnd < frame).map(({ name }) => name),
        bytes: [document, ...own].reduce((sum, entry) => sum + (entry?.encodedBodySize ?? 0), 0),
        // The claim is on its way before the first script has arrived.
        claimedEarly: (claim?.startTime ?? Infinity) < Math.min(...own.map(({ responseEnd }) => responseEnd)),
      };
    });
    expect(seen.before).toEqual([]);
    expect(seen.bytes).toBeLessThan(26 * KILOBYTE);
    expect(seen.claimedEarly).toBe(true);
  });

  it('repeats a claim without an answer, with the place of the code kept and a word about the connection', async () => {
    const address = await handoffAddress();
    const page = await (await stage.visitor()).context.newPage();
    let refused = 0;
    let release: (() => void) | undefined;
    const released = new Promise<void>((done) => (release = done));
    await page.route(CLAIM, async (route) => {
      if (refused++ === 0) return route.abort();
      await released;
      await route.continue();
    });
    await page.goto(address);
    await page.getByTestId('offline').filter({ hasText: 'No connection' }).waitFor();
    expect(await page.locator('.qr-skeleton').isVisible()).toBe(true);
    release?.();
    await page.locator('html[data-state="WAITING"]').waitFor();
    expect(await page.getByTestId('offline').isVisible()).toBe(false);
  });

  it('goes on by itself after a reload without a connection, and shows the document again', async () => {
    const login = await hostedLogin(stage, { signing: true });
    await login.page.route('**/login-ui/v1/session/status*', (route) => route.abort());
    await login.page.reload();
    await login.at('offline').filter({ hasText: 'No connection' }).waitFor();
    await login.page.unroute('**/login-ui/v1/session/status*');
    await login.state('WAITING');
    expect((await login.at('document-hash').textContent())?.replaceAll(' ', '')).toBe(HASH);
  });
});
