import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';

import { RelyingParty } from '../support/index.js';
import { shopOrigin, useStage } from './support/index.js';
import { Front } from './support/front.js';
import { moveClock } from './support/move-clock.js';

/** The login page has an origin of its own: another port than the service, so both are of one site. */
let front: Front;
const stage = useStage({
  ownService: 'hosted-clock',
  settings: async () => {
    front = await Front.start();
    return { LOGIN_URL: `${front.plainOrigin}/login` };
  },
});
beforeAll(() => {
  front.service = stage.service.baseUrls[0] ?? '';
});
afterAll(() => front[Symbol.asyncDispose]());

/** A new login on the hosted page of the other origin, and the seconds that it has. */
const openLogin = async (prepare: (page: Page) => Promise<unknown>): Promise<{ readonly page: Page; readonly seconds: number }> => {
  const redirectUri = `${await shopOrigin()}/callback`;
  const shop = await RelyingParty.register(stage.service, { redirect_uris: [redirectUri] });
  const { handoffToken, expiresAt } = await shop.login({ redirect_uri: redirectUri, hosted_page: true });
  const visitor = await stage.visitor();
  visitor.allow(front.plainOrigin);
  const page = await visitor.context.newPage();
  await prepare(page);
  await page.goto(`${front.plainOrigin}/login/?t=${encodeURIComponent(handoffToken ?? '')}`);
  await page.locator('html[data-state="WAITING"]').waitFor();
  return { page, seconds: Number(expiresAt) - Math.floor(Date.now() / 1000) };
};

const shownSeconds = async (page: Page): Promise<number> => {
  const [minutes = NaN, seconds = NaN] = ((await page.getByTestId('countdown').textContent()) ?? '').split(':').map(Number);
  return 60 * minutes + seconds;
};

describe('the countdown of a hosted page on an origin of its own', () => {
  it.each([0, 90, -90, 86_400, -86_400])('follows the clock of the service where that of the browser is wrong by %i s', async (wrongBy) => {
    const { page, seconds } = await openLogin((opened) => moveClock(opened, wrongBy));
    const shown = await shownSeconds(page);
    expect(shown).toBeLessThanOrEqual(seconds + 3);
    expect(shown).toBeGreaterThan(seconds - 15);
    // A reload knows the end of the login from before, and the time only by the next answer.
    await page.reload();
    await page.locator('html[data-state="WAITING"]').waitFor();
    expect(await shownSeconds(page)).toBeLessThanOrEqual(shown);
    expect(await shownSeconds(page)).toBeGreaterThan(seconds - 30);
  });

  it('is not shown where no answer tells the time of the service', async () => {
    const { page } = await openLogin(async (opened) => {
      await opened.route('**/login-ui/v1/**', (route) => route.abort());
      await opened.route('**/login-ui/v1/session/claim', async (route) => {
        const answer = await route.fetch();
        const { date: _, ...headers } = answer.headers();
        await route.fulfill({ response: answer, headers });
      });
    });
    await page.getByTestId('qr-code').waitFor();
    expect(await page.getByTestId('countdown').isVisible()).toBe(false);
  });
});
