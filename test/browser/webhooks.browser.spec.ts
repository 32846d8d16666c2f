import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';

import { accessibilityFaults, type DemoLibrary, Keyboard, useStage, type Visitor } from './support/index.js';

const stage = useStage();

const watch = (visitor: Visitor): Promise<Page> => visitor.open(`${stage.addresses.demo}/live`);
/** Of one login, the newest first: the step that each row shows first, and its subject without the step. */
const rows = (page: Page, about: string): Promise<string[]> =>
  page
    .getByTestId('message-row')
    .filter({ hasText: about })
    .evaluateAll((found) =>
      found.map(
        (row) => `${row.querySelector('[data-word]')?.textContent}: ${row.querySelector('[data-about]')?.textContent?.replace(/, step \d+$/, '')}`,
      ),
    );
const listening = (page: Page) => page.locator('[data-listening]:not([hidden])').waitFor();
/** Everything that a screen reader hears from now on. Messages of other tests may come in between. */
const listen = async (page: Page): Promise<() => Promise<string[]>> => {
  const heard = await page.evaluateHandle(() => {
    const texts: string[] = [];
    const announcer = document.querySelector('[data-announcer]') as Element;
    new MutationObserver(() => texts.push(announcer.textContent)).observe(announcer, { childList: true });
    return texts;
  });
  return () => heard.jsonValue();
};
const row = (page: Page, type: string, about: string) =>
  page.locator(`[data-testid="message-row"][data-type="${type}"]`, { hasText: about }).first().waitFor();

/** Begins a login; returns its name on the page of messages. */
const begin = async (demo: DemoLibrary): Promise<{ qr: string; about: string }> => {
  const qr = await demo.logInHere();
  return { qr, about: `Login ${(await demo.sessionShown()).slice(0, 8)}` };
};

describe('the page of messages', () => {
  it('shows each step of a login as it happens, also to screen readers', async () => {
    const visitor = await stage.visitor();
    const page = await watch(visitor);
    await listening(page);
    const heard = await listen(page);
    const demo = await stage.demo(visitor);
    const phone = await stage.anyPhone();
    const { qr, about } = await begin(demo);
    await phone.paste(qr);
    await row(page, 'session.scanned', about);
    await phone.confirm();
    await demo.subjectId();
    await row(page, 'session.completed', about);
    expect(await rows(page, about)).toEqual([`Completed: ${about}`, `Confirmed: ${about}`, `Scanned: ${about}`]);
    expect((await heard()).join('\n')).toContain(`Completed: ${about}`);
    expect(await page.locator('[data-empty]').isHidden()).toBe(true);
    expect(visitor.requests.filter((request) => request.url().endsWith('/live'))).toHaveLength(1);
  });

  it('shows earlier messages, and those that came while it was not connected', async () => {
    const visitor = await stage.visitor();
    const page = await visitor.context.newPage();
    await page.route('**/live/stream*', (route) => route.abort());
    await page.goto(`${stage.addresses.demo}/live`);
    await page.locator('[data-offline]:not([hidden])').waitFor();
    const demo = await stage.demo(visitor);
    const { about } = await begin(demo);
    await demo.at('cancel').click();
    await page.unroute('**/live/stream*');
    await row(page, 'session.cancelled', about);
    await listening(page);
    const before = await rows(page, about);
    await page.reload();
    expect(await rows(page, about)).toEqual(before);
  });

  it('shows them without a script too', async () => {
    const demo = await stage.demo(await stage.visitor());
    const { about } = await begin(demo);
    await demo.at('cancel').click();
    const page = await watch(await stage.visitor({ javaScriptEnabled: false }));
    await expect(page.locator('[data-announcer]').textContent()).resolves.toBe('');
    await row(page, 'session.cancelled', about); // the page loads itself again
  });

  it('is found from the home page, by the keyboard, and axe finds nothing serious', async () => {
    const demo = await stage.demo(await stage.visitor());
    await new Keyboard(demo.page).activate('[data-testid="live-link"]');
    await demo.page.waitForURL('**/live');
    await listening(demo.page);
    expect(await accessibilityFaults(demo.page, 'messages')).toEqual([]);
  });
});
