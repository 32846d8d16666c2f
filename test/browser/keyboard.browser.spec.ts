import { describe, expect, it } from '@jest/globals';

import { UUID } from '../support/index.js';
import { Keyboard, PIN, useStage, WebPhone } from './support/index.js';

const stage = useStage();

const testid = (id: string): string => `[data-testid="${id}"]`;

describe('by keyboard alone', () => {
  it('a person sets up a phone, opens a link, confirms, and is logged in at the demo', async () => {
    const demo = await stage.demo(await stage.visitor());
    const desk = new Keyboard(demo.page);
    await desk.activate('summary');
    await desk.to('[name="title"]');
    await desk.type('Renew your library card');
    await desk.activate('[name="attributes"][value="name"]', 'Space');
    await desk.activate(testid('login-hosted'));
    await demo.hosted('WAITING');
    await desk.to(testid('open-app'));
    const link = await demo.hostedLink();

    const phone = new WebPhone(await (await stage.visitor()).open(`${stage.addresses.phone}/`));
    const keys = new Keyboard(phone.page);
    await phone.screen('ENROL_CODE');
    await keys.to(testid('activation-code'));
    await keys.type(await stage.activationLink());
    await keys.press('Enter');
    await phone.screen('ENROL_HOLDER');
    await keys.activate(testid('continue'));
    await phone.screen('ENROL_PIN');
    await keys.type(PIN);
    await keys.press('Enter');
    await phone.screen('ENROL_PIN_AGAIN');
    for (const digit of PIN) await keys.activate(testid(`digit-${digit}`), 'Space');
    await keys.activate(testid('pin-submit'));
    await phone.screen('HOME');
    await keys.to(testid('link'));
    await keys.type(link);
    await keys.press('Enter');
    await phone.screen('PREVIEW');
    await keys.activate(testid('continue'));
    await phone.screen('CONSENT');
    await keys.activate(testid('confirm'));
    await phone.screen('PIN');
    await keys.type(PIN);
    await keys.press('Enter');
    await phone.screen('OUTCOME');
    await keys.activate(testid('done'));
    await phone.screen('HOME');

    expect(await demo.subjectId()).toMatch(UUID);
    await desk.activate(testid('logout'));
    await demo.page.waitForURL(`${stage.addresses.demo}/`);
  });

  it('a person declines, and returns to the relying party', async () => {
    const phone = await stage.anyPhone();
    const keys = new Keyboard(phone.page);
    const demo = await stage.demo(await stage.visitor());
    const desk = new Keyboard(demo.page);
    await desk.activate(testid('login-hosted'));
    await demo.hosted('WAITING');
    await phone.paste(await demo.hostedLink());
    await keys.activate(testid('decline'));
    await phone.screen('OUTCOME');
    await demo.hosted('DECLINED');
    await desk.activate(testid('back'));
    await demo.page.waitForURL(`${stage.addresses.demo}/`);
  });

  it('a person cancels, and begins again, on the relying party’s own page', async () => {
    const demo = await stage.demo(await stage.visitor());
    const desk = new Keyboard(demo.page);
    await desk.activate(testid('login-own'));
    await demo.scene('PENDING');
    await desk.activate(testid('use-this-device'));
    await demo.at('open-web-phone').waitFor();
    await desk.to(testid('open-web-phone'));
    await desk.activate(testid('use-another-device'));
    await demo.at('qr-code').waitFor();
    await desk.activate(testid('cancel'));
    await demo.page.waitForURL(`${stage.addresses.demo}/`);
  });

  it('a person removes the phone from the browser', async () => {
    const phone = await stage.phone();
    const keys = new Keyboard(phone.page);
    await keys.activate(`${testid('device')} summary`);
    await keys.activate(testid('remove'));
    await keys.press('Escape');
    await keys.activate(testid('remove'));
    await keys.activate(testid('remove-confirm'));
    await phone.screen('ENROL_CODE');
  });

  it('a redrawn page keeps its unfolded parts and its open dialog', async () => {
    const phone = await stage.phone();
    const { demo } = await stage.demoThatCanPush(phone);
    const keys = new Keyboard(phone.page);
    await phone.screen('HOME');
    await keys.activate(`${testid('device')} summary`);
    await phone.at('language').selectOption('de');
    await phone.page.locator('html[lang="de"]').waitFor();
    await keys.activate(testid('remove'));
    await keys.to(testid('remove-confirm'));
    const dialog = await phone.at('remove-dialog').elementHandle();
    // A request comes to the phone: the page shows it in its inbox.
    await demo.at('login-own').click();
    await phone.at('inbox-item').waitFor({ state: 'attached' });
    expect(await dialog?.evaluate((element) => element.isConnected)).toBe(false);
    expect(await phone.page.evaluate(() => document.activeElement?.getAttribute('data-testid'))).toBe('remove-confirm');
    await keys.press('Enter');
    await phone.screen('ENROL_CODE');
  });

  it.each(['login', 'phone'] as const)('a person chooses a language, which is remembered (%s)', async (name) => {
    const page = await (await stage.visitor()).open(`${stage.addresses[name]}/`);
    await page.getByTestId('title').waitFor();
    const keys = new Keyboard(page);
    const title = await page.getByTestId('title').textContent();
    await keys.to(testid('language'));
    await keys.press('D');
    await page.locator('html[lang="de"]').waitFor();
    expect(await page.getByTestId('title').textContent()).not.toBe(title);
    await keys.to(testid('language'));
    await page.reload();
    await page.locator('html[lang="de"]').waitFor();
  });
});
