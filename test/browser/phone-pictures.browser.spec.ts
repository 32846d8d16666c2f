import { describe, expect, it } from '@jest/globals';

import { pictureFaults, useStage, WebPhone, WRONG_PIN } from './support/index.js';

const stage = useStage();

/** Times and numbers that differ from run to run. */
const CHANGING = ['time', '[data-testid="locked-until"]'];

const DOCUMENT = { name: 'Rental contract.txt', mimeType: 'text/plain', buffer: Buffer.from('The contract, in full.\n') };

/** Replaces the demo's address, which holds the port of the run, by a name. */
const hidePort = async (phone: WebPhone): Promise<void> => {
  for (const domain of await phone.at('party-domain').all()) await domain.evaluate((element) => (element.textContent = 'shop.example'));
};

describe('the web phone looks as accepted', () => {
  it('while it is set up', async () => {
    const phone = new WebPhone(
      await (await stage.visitor()).open(await stage.activationLink(await stage.staff.registerPerson({ given_name: 'Ada', family_name: 'Byron' }))),
    );
    await phone.screen('ENROL_CODE');
    expect(await pictureFaults(phone.page, 'phone-activation')).toEqual([]);
    await phone.at('next').click();
    await phone.screen('ENROL_HOLDER');
    expect(await pictureFaults(phone.page, 'phone-holder')).toEqual([]);
    await phone.acceptHolder();
    expect(await pictureFaults(phone.page, 'phone-choose-pin')).toEqual([]);
  });

  it('from home over a login to the end, and when it is locked', async () => {
    const person = await stage.staff.registerPerson({ given_name: 'Ada', family_name: 'Byron' });
    const phone = await stage.phone({ of: person });
    const demo = await stage.demo(await stage.visitor());
    await phone.enterLink(await demo.logInOnHostedPage());
    await hidePort(phone);
    expect(await pictureFaults(phone.page, 'phone-preview')).toEqual([]);
    await phone.goOn();
    await hidePort(phone);
    expect(await pictureFaults(phone.page, 'phone-login')).toEqual([]);
    await phone.confirm();
    expect(await pictureFaults(phone.page, 'phone-confirmed')).toEqual([]);
    await phone.at('done').click();
    await phone.at('title').filter({ hasText: 'Ready to confirm' }).waitFor();
    expect(await pictureFaults(phone.page, 'phone-home', CHANGING)).toEqual([]);
    await demo.subjectId();
    await demo.logOut();
    await phone.paste(await demo.logInOnHostedPage());
    await phone.at('confirm').click();
    for (let tries = 0; tries < 3; tries++) {
      await phone.screen('PIN');
      await phone.enterPin(WRONG_PIN);
    }
    await phone.screen('OUTCOME');
    await phone.at('done').click();
    expect(await pictureFaults(phone.page, 'phone-locked', CHANGING)).toEqual([]);
  });

  it('when it signs', async () => {
    const phone = await stage.phone();
    const demo = await stage.demo(await stage.visitor());
    await demo.at('sign-document').click();
    await demo.at('file').setInputFiles(DOCUMENT);
    await demo.at('begin-signing').click();
    await demo.scene('PENDING');
    await phone.paste((await demo.page.locator('[data-scene="PENDING"] [data-testid="open-app"]').getAttribute('href')) ?? '');
    await hidePort(phone);
    expect(await pictureFaults(phone.page, 'phone-sign')).toEqual([]);
    await phone.at('confirm').click();
    await phone.screen('PIN');
    expect(await pictureFaults(phone.page, 'phone-sign-pin')).toEqual([]);
  });
});
