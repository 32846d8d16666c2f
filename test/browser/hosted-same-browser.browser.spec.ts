import { describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';

import { accessibilityFaults, type HostedLogin, hostedLogin, hostedPictureFaults, layoutFaults, shopOrigin, useStage } from './support/index.js';

const stage = useStage();

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 } };
const IN_AN_APP = 'Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/124.0 Mobile Safari/537.36';

const open = async (options: BrowserContextOptions = PHONE, name?: string): Promise<HostedLogin> => {
  const visitor = await stage.visitor(options);
  return hostedLogin(stage, { visitor, ...(name !== undefined && { name }) });
};

describe('beside the button that opens the app, the hosted page', () => {
  it('says that the request has to be finished in the same browser, and copies the link of the relying party', async () => {
    const login = await open({ ...PHONE, permissions: ['clipboard-read', 'clipboard-write'] });
    expect(await login.at('same-browser').textContent()).toContain('has to be finished in this browser');
    expect(await login.at('in-app').count()).toBe(0);
    await login.at('copy-link').click();
    await login.at('copied').filter({ hasText: 'Copied.' }).waitFor();
    expect(await login.page.evaluate(() => navigator.clipboard.readText())).toBe(`${await shopOrigin()}/`);
  });

  it('shows the link where the browser does not copy it', async () => {
    const login = await open();
    await login.page.evaluate(() => void Reflect.deleteProperty(Clipboard.prototype, 'writeText'));
    await login.at('copy-link').click();
    await login
      .at('copied')
      .filter({ hasText: `The link is ${await shopOrigin()}/` })
      .waitFor();
  });

  it('asks on a wide screen, and says it when the question is opened; inside an app it is open', async () => {
    const wide: BrowserContextOptions = { viewport: { width: 1160, height: 800 } };
    const login = await open(wide);
    expect(await login.at('copy-link').isVisible()).toBe(false);
    await login.at('same-browser').locator('summary').press('Enter');
    expect(await login.at('copy-link').isVisible()).toBe(true);
    const inAnApp = await open({ ...wide, userAgent: IN_AN_APP });
    expect(await inAnApp.at('copy-link').isVisible()).toBe(true);
  });

  it('warns before the button where the browser says that it is inside an app, in each language, on the smallest phone', async () => {
    const login = await open({ ...PHONE, userAgent: IN_AN_APP }, 'Harbour Ferry');
    await login.page.setViewportSize({ width: 320, height: 640 });
    const faults: string[] = [];
    for (const language of ['et', 'de', 'ru', 'lv', 'lt', 'en']) {
      await login.page.locator('.page-header select').selectOption(language);
      await login.page.locator(`html[lang="${language}"]`).waitFor();
      expect(await login.at('in-app').isVisible()).toBe(true);
      faults.push(...(await layoutFaults(login.page, `in an app, ${language}`)));
    }
    const isBefore = await login.at('in-app').evaluate((warning) => {
      const button = document.querySelector('[data-testid="open-app"]');
      return button !== null && (warning.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    });
    expect(isBefore).toBe(true);
    faults.push(...(await accessibilityFaults(login.page, 'in an app')), ...(await hostedPictureFaults(login.page, 'hosted-in-app')));
    expect(faults).toEqual([]);
  });
});
