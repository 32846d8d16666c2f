import { describe, expect, it } from '@jest/globals';

import { accessibilityFaults, hostedLogin, Keyboard, layoutFaults, readQr, shopOrigin, useStage } from './support/index.js';

const stage = useStage();

const WIDTHS = [320, 360, 640];

describe('the hosted page', () => {
  it('is clean for axe, in every language at 320 pixels too, and has no broken word', async () => {
    const faults: string[] = [];
    const signing = await hostedLogin(stage, { signing: true });
    faults.push(...(await accessibilityFaults(signing.page, 'signature')));
    const pushed = await hostedLogin(stage, { push: true });
    faults.push(...(await accessibilityFaults(pushed.page, 'pushed')));
    await pushed.scan();
    await pushed.state('SCANNED');
    faults.push(...(await accessibilityFaults(pushed.page, 'scanned')));
    await pushed.decline();
    await pushed.state('DECLINED');
    faults.push(...(await accessibilityFaults(pushed.page, 'declined')));
    for (const language of ['et', 'de', 'ru', 'lv', 'lt', 'en']) {
      await signing.at('language').selectOption(language);
      for (const width of WIDTHS) {
        await signing.page.setViewportSize({ width, height: 700 });
        // The page handles its new size before it draws the next frame.
        await signing.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
        faults.push(...(await layoutFaults(signing.page, `signature, ${language}, ${width}`)));
      }
    }
    expect(faults).toEqual([]);
  });

  it('is read at 200 % zoom without scrolling sideways', async () => {
    // WCAG 2.2, 1.4.4: a window of 1280 pixels at 200 % is one of 640 CSS pixels on twice as many device pixels.
    const visitor = await stage.visitor({ viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 });
    const { page } = await hostedLogin(stage, { signing: true, visitor });
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)).toBe(true);
  });

  it.each(['login', 'signature'])('needs no scrolling on a laptop (%s)', async (kind) => {
    const visitor = await stage.visitor({ viewport: { width: 1160, height: 800 } });
    const { page } = await hostedLogin(stage, { signing: kind === 'signature', visitor });
    await page.getByTestId('qr-code').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(800);
  });

  it('moves nothing where the person wants less motion', async () => {
    const login = await hostedLogin(stage);
    await login.scan();
    await login.state('SCANNED');
    expect(await login.page.evaluate(() => document.getAnimations().length)).toBe(0);
  });

  it('keeps code, current step and buttons apart in forced colours', async () => {
    const visitor = await stage.visitor({ forcedColors: 'active' });
    const login = await hostedLogin(stage, { visitor });
    expect(await readQr(login.at('qr'))).toContain(login.login.sessionId);
    await login.scan();
    await login.state('SCANNED');
    const [current, ahead] = await Promise.all(
      ['.current', '.ahead'].map((step) => login.page.locator(`.progress ${step}`).evaluate((item) => getComputedStyle(item).borderTopColor)),
    );
    expect(current).not.toBe(ahead);
  });

  it('is used by the keyboard alone', async () => {
    const login = await hostedLogin(stage, { push: true });
    const keys = new Keyboard(login.page);
    await keys.activate('[data-testid="push-again"]');
    await login.at('sent-again').filter({ hasText: 'Sent again.' }).waitFor();
    await keys.activate('[data-testid="show-code"]');
    await login.at('qr-code').waitFor();
    await keys.activate('[data-testid="cancel"]', 'Space');
    await login.page.waitForURL(`${await shopOrigin()}/`);
  });
});
