import { describe, expect, it } from '@jest/globals';

import { UUID } from '../support/index.js';
import { useStage } from './support/index.js';

const stage = useStage();

describe('a login on the hosted page', () => {
  it('leads from the demo over the phone to the subjectId', async () => {
    const phone = await stage.anyPhone();
    const demo = await stage.demo(await stage.visitor());
    await phone.paste(await demo.logInOnHostedPage());
    expect(await phone.title()).toBe('Harbour Library');
    await demo.hosted('SCANNED');
    await phone.confirm();
    expect(await phone.title()).toBe('Confirmed');
    expect(await demo.subjectId()).toMatch(UUID);
  });

  it('names the relying party and its address', async () => {
    const demo = await stage.demo(await stage.visitor());
    await demo.logInOnHostedPage();
    expect(await demo.at('relying-party').textContent()).toBe(`for Harbour Library${new URL(stage.addresses.demo).host}`);
  });
});

describe('a login on the relying party’s own page', () => {
  it('leads over the phone to the subjectId', async () => {
    const phone = await stage.anyPhone();
    const demo = await stage.demo(await stage.visitor());
    await phone.paste(await demo.logInHere());
    await demo.scene('SCANNED');
    await phone.confirm();
    expect(await demo.subjectId()).toMatch(UUID);
  });
});

describe('a person', () => {
  it('has one subjectId, however the login is done', async () => {
    const phone = await stage.anyPhone();
    const demo = await stage.demo(await stage.visitor());
    await phone.paste(await demo.logInOnHostedPage());
    await phone.confirm();
    const before = await demo.subjectId();

    await demo.logOut();
    const link = await demo.logInHere();
    await phone.at('done').click();
    await phone.paste(link);
    await phone.confirm();
    expect(await demo.subjectId()).toBe(before);
  });

  it('shares the data that the phone showed as requested', async () => {
    const person = await stage.staff.registerPerson({ given_name: 'Ada', family_name: 'Byron', date_of_birth: '1990-05-17' });
    const phone = await stage.phone({ of: person });
    const demo = await stage.demo(await stage.visitor());
    await demo.page.locator('summary').click();
    await demo.page.locator('[name="title"]').fill('Renew your library card');
    await demo.page.locator('[name="attributes"][value="name"]').check();
    await demo.page.locator('[name="predicates"][value="ageOver18"]').check();

    await phone.paste(await demo.logInOnHostedPage());
    expect(await phone.at('request-title').textContent()).toBe('Renew your library card');
    expect(await phone.at('requested').locator('li').allTextContents()).toEqual(['Your full name', 'Whether you are 18 or older (yes or no)']);
    await phone.confirm();
    await demo.subjectId();
    expect(await demo.at('attribute-name').textContent()).toBe('Ada Byron');
    expect(await demo.at('predicate-ageOver18').textContent()).toBe('Yes');
  });
});

describe('a push', () => {
  it.each(['login-hosted', 'login-own'])('reaches the phone of a person who logged in before (%s)', async (button) => {
    const phone = await stage.anyPhone();
    const { demo, subjectId } = await stage.demoThatCanPush(phone);
    await demo.at(button).click();
    await phone.at('inbox-open').click();
    await phone.confirm(await demo.at('verification-code').textContent());
    expect(await demo.subjectId()).toBe(subjectId);
  });

  it('is cancelled when the person chooses a number that the page does not show', async () => {
    const phone = await stage.anyPhone();
    const { demo } = await stage.demoThatCanPush(phone);
    await demo.at('login-hosted').click();
    await phone.at('inbox-open').click();
    await phone.at('confirm').click();
    await phone.screen('CODE');
    const shown = await demo.at('verification-code').textContent();
    const choices = await phone.page.locator('.codes button').allTextContents();
    expect(choices).toContain(shown);
    await phone.at(`code-${choices.find((choice) => choice !== shown)}`).click();
    await phone.enterPin();
    await phone.screen('OUTCOME');
    expect(await phone.title()).toBe('Not the number on the page');
    await demo.page.locator('html[data-state="WRONG_CODE"]').waitFor();
    await phone.at('done').click();
  });
});

describe('on one device the phone goes back by itself', () => {
  const PHONE = {
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    userAgent: 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  };

  it('to the hosted page', async () => {
    const visitor = await stage.visitor(PHONE);
    await stage.phone({ visitor });
    const demo = await stage.demo(visitor);
    await demo.logInOnHostedPage();
    const phone = await stage.openedPhone(demo);
    await phone.screen('PREVIEW');
    expect(await phone.title()).toBe('Harbour Library');
    expect(await phone.at('party-domain').textContent()).toBe(new URL(stage.addresses.demo).host);
    await phone.goOn();
    await phone.at('confirm').click();
    await phone.tapPin();
    expect(await demo.subjectId()).toMatch(UUID);
  });

  it('to the relying party’s own page', async () => {
    const visitor = await stage.visitor(PHONE);
    await stage.phone({ visitor });
    const demo = await stage.demo(visitor);
    await demo.at('login-own').click();
    const phone = await stage.openedPhone(demo);
    await phone.goOn();
    await phone.confirm();
    expect(await demo.subjectId()).toMatch(UUID);
  });

  it('also when it was set up on the way', async () => {
    const visitor = await stage.visitor(PHONE);
    const demo = await stage.demo(visitor);
    await demo.logInOnHostedPage();
    const phone = await stage.openedPhone(demo);
    await phone.at('activation-code').fill(await stage.activationLink());
    await phone.setUp();
    await phone.goOn();
    await phone.confirm();
    expect(await demo.subjectId()).toMatch(UUID);
  });
});
