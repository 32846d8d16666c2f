import { afterEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';

import { accessibilityFaults, useStage, WebPhone, WRONG_PIN } from './support/index.js';

const stage = useStage();

let faults: string[] = [];

/** Checks a screen; the end of the test reports the faults of all its screens. */
const look = async (page: Page, screen: string): Promise<void> => {
  faults.push(...(await accessibilityFaults(page, screen)));
};

const nothingFound = (): void => expect(faults).toEqual([]);

afterEach(() => {
  faults = [];
});

describe('axe finds no serious fault', () => {
  it('on the web phone while it is set up', async () => {
    const { page } = await stage.visitor().then(async (visitor) => new WebPhone(await visitor.open(await stage.activationLink())));
    const phone = new WebPhone(page);
    await look(page, 'activation code');
    await phone.at('next').click();
    await phone.screen('ENROL_HOLDER');
    await look(page, 'whose code');
    await phone.acceptHolder();
    await look(page, 'choose a PIN');
    await phone.enterPin('1234');
    await phone.at('fault').waitFor();
    await look(page, 'choose another PIN');
    await phone.enterPin();
    await phone.screen('ENROL_PIN_AGAIN');
    await look(page, 'repeat the PIN');
    await phone.enterPin();
    await phone.screen('HOME');
    await look(page, 'welcome');
    await phone.at('device').locator('summary').click();
    await look(page, 'the device');
    await phone.at('remove').click();
    await look(page, 'remove the device?');
    await phone.at('remove-cancel').click();
    await phone.at('link').fill('https://elsewhere.example/');
    await phone.at('open-link').click();
    await phone.at('notice').waitFor();
    await look(page, 'no link of ours');
    await phone.at('scan').click();
    await phone.at('camera-hint').filter({ hasText: 'could not be used' }).waitFor();
    await look(page, 'no camera');
    nothingFound();
  });

  it('on the web phone when an activation code is refused', async () => {
    const { page } = await stage.visitor().then(async (visitor) => new WebPhone(await visitor.open(`${stage.addresses.phone}/#activate=nonsense`)));
    const phone = new WebPhone(page);
    await phone.at('next').click();
    await phone.at('fault').waitFor();
    await look(page, 'activation code refused');
    nothingFound();
  });

  it('on the phone and the hosted page, from the request to the end', async () => {
    const phone = await stage.anyPhone();
    const visitor = await stage.visitor();
    const demo = await stage.demo(visitor);
    await look(demo.page, 'demo');
    await demo.page.locator('summary').click();
    await demo.page.locator('[name="title"]').fill('Renew your library card');
    for (const box of await demo.page.locator('[name="attributes"], [name="predicates"]').all()) await box.check();
    await look(demo.page, 'demo, all options');
    const link = await demo.logInOnHostedPage();
    await look(demo.page, 'hosted: waiting');
    await phone.enterLink(link);
    await look(phone.page, 'phone: who asks');
    await phone.goOn();
    await look(phone.page, 'phone: request');
    await demo.hosted('SCANNED');
    await look(demo.page, 'hosted: scanned');
    await phone.at('confirm').click();
    await phone.screen('PIN');
    await look(phone.page, 'phone: PIN');
    await phone.enterPin(WRONG_PIN);
    await phone.at('fault').waitFor();
    await look(phone.page, 'phone: wrong PIN');
    await phone.enterPin();
    await phone.screen('OUTCOME');
    await look(phone.page, 'phone: confirmed');
    await demo.subjectId();
    await look(demo.page, 'demo: account');
    await demo.logOut();
    await look(demo.page, 'demo, knows the phone');
    nothingFound();
  });

  it('on the pages of a login that fails', async () => {
    const phone = await stage.anyPhone();
    const visitor = await stage.visitor();
    const demo = await stage.demo(visitor);
    const link = await demo.logInOnHostedPage();
    await visitor.offline(true);
    await phone.paste(link);
    await demo.at('offline').waitFor({ state: 'visible' });
    await look(demo.page, 'hosted: offline');
    await visitor.offline(false);
    await demo.hosted('SCANNED');
    await phone.at('confirm').click();
    for (let tries = 0; tries < 3; tries++) {
      await phone.screen('PIN');
      await phone.enterPin(WRONG_PIN);
    }
    await phone.screen('OUTCOME');
    await look(phone.page, 'phone: locked');
    await demo.hosted('DECLINED');
    await look(demo.page, 'hosted: declined');
    await demo.page.goto(`${stage.addresses.login}/?t=nonsense`);
    await demo.hosted('INVALID_HANDOFF');
    await look(demo.page, 'hosted: refused link');
    // With the cookie of the declined login the page would show that login again.
    await demo.page.context().clearCookies();
    await demo.page.goto(`${stage.addresses.login}/`);
    await demo.hosted('NOTHING_TO_DO');
    await look(demo.page, 'hosted: nothing to do');
    await demo.page.goto(`${stage.addresses.demo}/callback?code=x&state=y`);
    await look(demo.page, 'demo: message');
    nothingFound();
  });

  it('on the relying party’s own page', async () => {
    const phone = await stage.anyPhone();
    const demo = await stage.demo(await stage.visitor());
    const link = await demo.logInHere();
    await look(demo.page, 'own: code');
    await phone.paste(link);
    await demo.scene('SCANNED');
    await look(demo.page, 'own: scanned');
    await phone.decline();
    await look(phone.page, 'phone: declined');
    await demo.scene('CANCELLED');
    await look(demo.page, 'own: declined');
    await demo.page.locator('[data-scene="CANCELLED"]').getByTestId('again').click();
    await demo.scene('PENDING');
    await demo.at('use-this-device').click();
    await demo.at('open-web-phone').waitFor();
    await look(demo.page, 'own: links');
    nothingFound();
  });
});
