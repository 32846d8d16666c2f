import { afterEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';

import { layoutFaults, useStage, WebPhone } from './support/index.js';

const stage = useStage();

const LANGUAGES = ['en', 'et', 'de', 'ru', 'lv', 'lt'];
const WIDTHS = [320, 360];

let faults: string[] = [];

afterEach(() => {
  faults = [];
});

/** Looks at a screen in every language, on two narrow phones, and with letters of twice the size. */
const look = async (page: Page, screen: string): Promise<void> => {
  for (const language of LANGUAGES) {
    await page.getByTestId('language').selectOption(language);
    await page.locator(`html[lang="${language}"]`).waitFor();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 780 });
      faults.push(...(await layoutFaults(page, `${screen}, ${language}, ${width}`)));
    }
    // WCAG 2.2, 1.4.4: 200 % of a window of 1280 leaves 640, and the letters are twice as large.
    await page.setViewportSize({ width: 640, height: 780 });
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
    faults.push(...(await layoutFaults(page, `${screen}, ${language}, 200 %`)));
    await page.evaluate(() => (document.documentElement.style.fontSize = ''));
  }
  await page.getByTestId('language').selectOption('en');
  await page.locator('html[lang="en"]').waitFor();
};

describe('no word is broken and nothing is cut off, in any language', () => {
  it('while a phone is set up, and at home', async () => {
    const phone = new WebPhone(await (await stage.visitor()).open(await stage.activationLink()));
    await phone.screen('ENROL_CODE');
    await look(phone.page, 'activation code');
    await phone.at('next').click();
    await phone.screen('ENROL_HOLDER');
    await look(phone.page, 'whose code');
    await phone.acceptHolder();
    await look(phone.page, 'choose a PIN');
    await phone.enterPin();
    await phone.screen('ENROL_PIN_AGAIN');
    await look(phone.page, 'repeat the PIN');
    await phone.enterPin();
    await phone.screen('HOME');
    await phone.at('title').filter({ hasText: 'Ready to confirm' }).waitFor();
    await phone.at('device').locator('summary').click();
    await look(phone.page, 'home');
    expect(faults).toEqual([]);
  });

  it('from the request to the end', async () => {
    const phone = await stage.anyPhone();
    const demo = await stage.demo(await stage.visitor());
    await demo.page.locator('summary').click();
    for (const box of await demo.page.locator('[name="attributes"], [name="predicates"]').all()) await box.check();
    await phone.enterLink(await demo.logInOnHostedPage());
    await look(phone.page, 'who asks');
    await phone.goOn();
    await look(phone.page, 'request');
    await phone.at('confirm').click();
    await phone.screen('PIN');
    await look(phone.page, 'PIN');
    await phone.decline();
    await look(phone.page, 'declined');
    expect(faults).toEqual([]);
  });
});

describe('the looks that a person asks for', () => {
  it('forced colours leave every control an edge, and the state of the phone a sign', async () => {
    const phone = await stage.anyPhone();
    await phone.page.emulateMedia({ forcedColors: 'active' });
    const bare = await phone.page.evaluate(() =>
      [...document.querySelectorAll('button:not(.key), input, select, .card')]
        .filter((element) => element.checkVisibility())
        .filter((element) => parseFloat(getComputedStyle(element).borderTopWidth) === 0)
        .map((element) => element.outerHTML.slice(0, 80)),
    );
    expect(bare).toEqual([]);
    expect(
      await phone
        .at('device-status')
        .locator('.light')
        .evaluate((light) => getComputedStyle(light).forcedColorAdjust),
    ).toBe('none');
  });

  it('reduced motion stops turning pictures', async () => {
    const phone = await stage.anyPhone();
    const motion = (reducedMotion: 'reduce' | 'no-preference'): Promise<string> =>
      phone.page.emulateMedia({ reducedMotion }).then(() =>
        phone.page.evaluate(() => {
          const busy = document.createElement('div');
          busy.className = 'busy';
          document.body.append(busy);
          const { animationName } = getComputedStyle(busy);
          busy.remove();
          return animationName;
        }),
      );
    expect(await motion('no-preference')).toBe('turn');
    expect(await motion('reduce')).toBe('none');
  });
});
