import { describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';

import { accessibilityFaults, hostedLogin, layoutFaults, useStage } from './support/index.js';

const stage = useStage();

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 } };
const LANGUAGES = ['et', 'de', 'ru', 'lv', 'lt', 'en'];

/** A login in a browser to which the app does not return, and the phone of the same person, which has confirmed it by the link. */
const confirmedElsewhere = async () => {
  const login = await hostedLogin(stage, { visitor: await stage.visitor(PHONE), finishByNumber: true });
  const link = (await login.at('open-app').getAttribute('href')) ?? '';
  expect(await login.at('same-browser').textContent()).toContain('shows a number after the PIN');
  const phone = await stage.phone({ visitor: await stage.visitor(PHONE) });
  await phone.page.goto('about:blank');
  await phone.page.goto(`${stage.addresses.phone}/#${encodeURIComponent(link)}`);
  await phone.screen('PREVIEW');
  await phone.goOn();
  await phone.confirm();
  await login.state('NUMBER');
  return { login, phone, number: (await phone.at('number').textContent()) ?? '' };
};

describe('a login that the app does not bring back to the browser that began it', () => {
  it('is finished there by the number that the phone shows, with a warning', async () => {
    const { login, phone, number } = await confirmedElsewhere();
    expect(number).toMatch(/^[0-9]{6}$/);
    expect(await phone.at('number-warning').textContent()).toContain('only into the browser on this phone');
    expect(await phone.at('return').count()).toBe(1);
    const faults = [...(await layoutFaults(phone.page, 'the number')), ...(await accessibilityFaults(phone.page, 'the number'))];
    await login.page.setViewportSize({ width: 320, height: 640 });
    for (const language of LANGUAGES) {
      await login.page.locator('.page-header select').selectOption(language);
      await login.page.locator(`html[lang="${language}"]`).waitFor();
      faults.push(...(await layoutFaults(login.page, `the field, ${language}`)));
    }
    faults.push(...(await accessibilityFaults(login.page, 'the field')));
    expect(faults).toEqual([]);
    await login.at('number').fill('12 34');
    await login.at('send-number').click();
    await login.at('number-fault').filter({ hasText: 'six digits' }).waitFor();
    await login.at('number').fill(`${number.slice(0, 3)} ${number.slice(3)}`);
    await login.at('number').press('Enter');
    await login.page.waitForURL(/callback\?.*code=/);
  });

  it('ends by a wrong number', async () => {
    const { login, number } = await confirmedElsewhere();
    await login.at('number').fill(String((Number(number) + 1) % 1_000_000).padStart(6, '0'));
    await login.at('send-number').click();
    await login.state('WRONG_NUMBER');
    expect(await login.shop.statusOf(login.login)).toBe('CONFIRMED');
  });
});
