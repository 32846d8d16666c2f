import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';

import { accessibilityFaults, type DemoLibrary, Keyboard, layoutFaults, readQr, useStage } from './support/index.js';

const stage = useStage();

const LANGUAGES = ['et', 'de', 'ru', 'lv', 'lt', 'en'];
const FILE = { name: 'Rental contract.txt', mimeType: 'text/plain', buffer: Buffer.from('The contract, in full.\n') };

/** Looks at the page that is open in every language: two narrow phones, and letters of twice the size. */
const faultsInAllLanguages = async (page: Page, screen: string): Promise<string[]> => {
  const faults: string[] = [];
  for (const language of LANGUAGES) {
    await page.getByTestId(`language-${language}`).click();
    await page.locator(`html[lang="${language}"]`).waitFor();
    for (const width of [320, 360]) {
      await page.setViewportSize({ width, height: 780 });
      faults.push(...(await layoutFaults(page, `${screen}, ${language}, ${width}`)));
    }
    // WCAG 2.2, 1.4.4: 200 % of a window of 1280 leaves 640, and the letters are twice as large.
    await page.setViewportSize({ width: 640, height: 780 });
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
    faults.push(...(await layoutFaults(page, `${screen}, ${language}, 200 %`)));
    await page.evaluate(() => (document.documentElement.style.fontSize = ''));
  }
  return faults;
};

const beginSigning = async (demo: DemoLibrary): Promise<string> => {
  await demo.at('sign-document').click();
  await demo.at('file').setInputFiles(FILE);
  await demo.at('begin-signing').click();
  await demo.scene('PENDING');
  return readQr(demo.at('qr-code'));
};

describe('the demo speaks the language of its reader', () => {
  it('breaks no word and cuts nothing off, in any language', async () => {
    const demo = await stage.demo(await stage.visitor());
    const faults = await faultsInAllLanguages(demo.page, 'home');
    await demo.page.goto(`${stage.addresses.demo}/sign`);
    faults.push(...(await faultsInAllLanguages(demo.page, 'sign')));
    await demo.page.goto(`${stage.addresses.demo}/live`);
    faults.push(...(await faultsInAllLanguages(demo.page, 'live')));
    await demo.page.goto(stage.addresses.demo);
    await demo.logInHere();
    faults.push(...(await faultsInAllLanguages(demo.page, 'waiting')));
    expect(faults).toEqual([]);
  });

  it('breaks none on the account page and while a signature waits', async () => {
    const phone = await stage.anyPhone();
    const demo = await stage.demo(await stage.visitor());
    await phone.paste(await demo.logInOnHostedPage());
    await phone.confirm();
    await demo.subjectId();
    const faults = await faultsInAllLanguages(demo.page, 'account');
    await demo.page.goto(stage.addresses.demo);
    faults.push(...(await faultsInAllLanguages(demo.page, 'home, logged in')));
    await beginSigning(demo);
    faults.push(...(await faultsInAllLanguages(demo.page, 'signature')));
    expect(faults).toEqual([]);
  });

  it('words the refusals of its script in it', async () => {
    const demo = await stage.demo(await stage.visitor({ locale: 'de-DE' }));
    await demo.at('sign-document').click();
    await demo.page.route('**/sign', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await demo.at('file').setInputFiles(FILE);
    await demo.at('begin-signing').click();
    await demo.at('problem').filter({ hasText: 'Die Bibliothek antwortet nicht.' }).waitFor();
  });
});

describe('the signed page', () => {
  it('names signer, time and trust, and says how to verify the file', async () => {
    const person = await stage.staff.registerPerson({ given_name: 'Ada', family_name: 'Byron' });
    const phone = await stage.phone({ of: person });
    const demo = await stage.demo(await stage.visitor());
    await phone.paste(await beginSigning(demo));
    await phone.confirm();
    await demo.at('signer').waitFor();
    expect(await demo.at('signer').textContent()).toBe('Ada Byron');
    const at = await demo.at('signed-at').locator('time').getAttribute('datetime');
    expect(Math.abs(Date.parse(at ?? '') - Date.now())).toBeLessThan(10 * 60 * 1000);
    const trust = await demo.at('trust').locator('li').allTextContents();
    expect(trust).toEqual([
      expect.stringMatching(/^The certificate was issued by Countersign .+\.$/),
      expect.stringMatching(/^A time-stamp from Countersign .+ proves the time\.$/),
      expect.stringMatching(/^An OCSP answer confirms that the certificate was valid on .+\.$/),
    ]);
    await demo.at('verify').locator('summary').click();
    expect(await demo.at('verify').locator('code').textContent()).toBe("npm run cli -- verify 'Rental contract.txt.asice'");
    const shown = demo.page.locator('[data-scene="SIGNED"]').getByTestId('document-hash');
    expect(await shown.locator('strong').count()).toBe(2);
    // The page shows the content of the container before the document is chosen again.
    await demo.page.reload();
    await demo.at('file-again').waitFor();
    await demo.at('trust').locator('li').last().waitFor();
    expect(await demo.at('trust').locator('li').allTextContents()).toEqual(trust);
    expect(await layoutFaults(demo.page, 'signed')).toEqual([]);
    expect(await accessibilityFaults(demo.page, 'signed')).toEqual([]);
  });
});

describe('“Open the app”', () => {
  it.each(['login', 'signature'])('says so when this device has no app (%s)', async (kind) => {
    const demo = await stage.demo(await stage.visitor());
    if (kind === 'signature') await beginSigning(demo);
    else {
      await demo.logInHere();
      await demo.at('use-this-device').click();
    }
    expect(await demo.at('no-app').textContent()).toBe('');
    await demo.at('open-app').click();
    await demo.at('no-app').filter({ hasText: 'No app has opened.' }).waitFor();
  });
});

describe('the demo for everybody', () => {
  it('is clean for axe, home, messages and refusals', async () => {
    const demo = await stage.demo(await stage.visitor());
    const faults = await accessibilityFaults(demo.page, 'home');
    await demo.page.goto(`${stage.addresses.demo}/live`);
    faults.push(...(await accessibilityFaults(demo.page, 'live')));
    await demo.page.goto(`${stage.addresses.demo}/nothing`);
    faults.push(...(await accessibilityFaults(demo.page, 'not found')));
    expect(faults).toEqual([]);
  });

  it('changes its language by the keyboard alone', async () => {
    const demo = await stage.demo(await stage.visitor());
    await new Keyboard(demo.page).activate('[data-testid="language-lv"]');
    await demo.page.locator('html[lang="lv"]').waitFor();
  });

  it('moves nothing where the person wants less motion', async () => {
    const demo = await stage.demo(await stage.visitor());
    await demo.logInHere();
    expect(await demo.page.evaluate(() => document.getAnimations().length)).toBe(0);
  });

  it('leaves every control an edge in forced colours, and the code readable', async () => {
    const demo = await stage.demo(await stage.visitor({ forcedColors: 'active' }));
    const bare = await demo.page.evaluate(() =>
      [...document.querySelectorAll('.button, input:not([type="checkbox"]), .card')]
        .filter((element) => element.checkVisibility())
        .filter((element) => parseFloat(getComputedStyle(element).borderTopWidth) === 0)
        .map((element) => element.outerHTML.slice(0, 80)),
    );
    expect(bare).toEqual([]);
    expect(await demo.logInHere()).toContain('://');
  });
});
