import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';

import { UUID } from '../support/index.js';
import { hostedLogin, readQr, useStage, WebPhone, WRONG_PIN } from './support/index.js';

const stage = useStage();

/** `SCREENSHOTS=folder` keeps what each side of an attack sees. */
const seen = async (page: Page, name: string): Promise<void> => {
  const folder = process.env['SCREENSHOTS'];
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) });
};

/** The seconds since the creation of the session that the frame of a dynamic code names. */
const secondsOf = (payload: string): number => Number(new URL(payload).searchParams.get('t') ?? Number.NaN);

describe('an attacker begins a hosted login and sends its link to a victim', () => {
  it('who approves it: the attacker’s browser does not log in, nor does the victim’s', async () => {
    const [victim, own] = [await stage.visitor({ viewport: { width: 390, height: 844 } }), await stage.anyPhone()];
    const phone = await stage.phone({ visitor: victim });
    const attacker = await stage.demo(await stage.visitor());
    const link = await attacker.logInOnHostedPage();
    await phone.page.goto('about:blank');
    await phone.page.goto(`${stage.addresses.phone}/#${encodeURIComponent(link)}`);
    await phone.screen('PREVIEW');
    await seen(phone.page, '1-victim-is-asked-before-the-scan');
    await attacker.hosted('WAITING');
    await phone.goOn();
    await seen(phone.page, '2-victim-sees-the-request');
    await phone.at('confirm').click();
    await phone.enterPin();
    await phone.page.waitForURL(`${stage.addresses.login}/**`);
    await phone.page.locator('html[data-state="LINK_FROM_ELSEWHERE"]').waitFor();
    expect(await phone.page.locator('main').innerText()).toContain('It goes on in neither browser.');
    await seen(phone.page, '3-victim-is-told-that-it-goes-on-in-neither-browser');
    await attacker.page.locator('html[data-state="GOES_ON_BY_THE_APP"]').waitFor();
    await seen(attacker.page, '4-attacker-waits-in-vain');
    await attacker.page.goto(`${stage.addresses.demo}/account`);
    expect(attacker.page.url()).toBe(`${stage.addresses.demo}/`);
    // The same code shown to a phone that scans it logs in: it was the link that made the difference.
    const honest = await stage.demo(await stage.visitor());
    await own.paste(await honest.logInOnHostedPage());
    await own.confirm();
    expect(await honest.subjectId()).toMatch(UUID);
  });
});

describe('an attacker sends a picture of a dynamic code', () => {
  it('which is refused when the page shows later ones; the page’s own code is taken', async () => {
    const phone = await stage.anyPhone();
    const login = await hostedLogin(stage, { dynamicQr: true });
    const photographed = await readQr(login.at('qr'));
    let shown = photographed;
    while (secondsOf(shown) < secondsOf(photographed) + 8) shown = await readQr(login.at('qr'));
    await phone.at('link').fill(photographed);
    await phone.at('open-link').click();
    await phone.screen('OUTCOME');
    await seen(phone.page, '5-old-frame-is-refused');
    await login.state('WAITING');
    // A busy machine may need longer than a frame lives.
    do {
      await phone.at('done').click();
      await phone.screen('HOME');
      await phone.at('link').fill(await readQr(login.at('qr')));
      await phone.at('open-link').click();
      await phone.page.locator('main:is([data-state="OUTCOME"], [data-state="PREVIEW"])').waitFor();
    } while ((await phone.page.locator('main[data-state="OUTCOME"]').count()) > 0);
    await phone.goOn();
    await login.state('SCANNED');
    await phone.decline();
  });
});

describe('an attacker pushes a login to a victim', () => {
  it('who cannot tell the number: only the page that began it shows it', async () => {
    const phone = await stage.anyPhone();
    const { demo } = await stage.demoThatCanPush(phone);
    await demo.at('login-hosted').click();
    await phone.at('inbox-open').click();
    await phone.at('confirm').click();
    await phone.screen('CODE');
    await seen(demo.page, '6-page-shows-two-digits');
    await seen(phone.page, '7-phone-shows-three-choices');
    const shown = (await demo.at('verification-code').textContent()) ?? '';
    expect(shown).toMatch(/^\d\d$/);
    const choices = await phone.page.locator('.codes button').allTextContents();
    expect([choices.length, new Set(choices).size, choices.includes(shown)]).toEqual([3, 3, true]);
  });
});

describe('an attacker sends an activation link of a person of the attacker', () => {
  it('to a phone that is set up: it stays the phone of its holder', async () => {
    const phone = await stage.anyPhone();
    const attacker = await stage.staff.registerPerson({ given_name: 'Mallory', family_name: 'Attacker' });
    await phone.page.goto('about:blank');
    await phone.page.goto(await stage.activationLink(attacker));
    await phone.screen('HOME');
    await seen(phone.page, '8-set-up-phone-keeps-its-holder');
    expect(await phone.page.locator('main').textContent()).not.toContain('Mallory');
  });

  it('to a new phone: it shows whose phone it would become, before any key is enrolled', async () => {
    const attacker = await stage.staff.registerPerson({ given_name: 'Mallory', family_name: 'Attacker' });
    const visitor = await stage.visitor({ viewport: { width: 390, height: 844 } });
    const phone = new WebPhone(await visitor.open(await stage.activationLink(attacker)));
    await phone.screen('ENROL_CODE');
    await phone.at('next').click();
    await phone.screen('ENROL_HOLDER');
    await seen(phone.page, '9-new-phone-names-the-person');
    expect(await phone.at('holder').textContent()).toContain('Mallory Attacker');
    const enrolments = visitor.requests.filter((request) => request.method() === 'POST' && request.url().endsWith('/app/v1/device'));
    expect(enrolments).toEqual([]);
  });
});

describe('a thief guesses the PIN of a phone that lies open', () => {
  it('and gets no signature from it: the phone signs after the service has accepted the PIN', async () => {
    const visitor = await stage.visitor({ viewport: { width: 390, height: 844 } });
    const phone = await stage.phone({ visitor });
    const demo = await stage.demo(await stage.visitor());
    await phone.paste(await demo.logInOnHostedPage());
    await phone.at('confirm').click();
    await phone.enterPin(WRONG_PIN);
    await phone.at('fault').waitFor();
    const signatures = () => visitor.requests.filter((request) => request.postData()?.includes('"signature"') === true).length;
    expect(signatures()).toBe(0);
    await phone.enterPin();
    await demo.subjectId();
    expect(signatures()).toBe(1);
  });
});

describe('a thief enrols a phone of the thief for a person, by a code', () => {
  it('of which the person’s own phone tells', async () => {
    const person = await stage.staff.registerPerson();
    const own = await stage.phone({ of: person });
    await stage.phone({ of: person });
    await own.page.reload();
    await own.at('new-devices').waitFor();
    await seen(own.page, '10-own-phone-tells-of-a-new-one');
    expect(await own.at('new-devices').isVisible()).toBe(true);
  });
});
