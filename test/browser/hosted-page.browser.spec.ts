import { describe, expect, it } from '@jest/globals';
import { PNG } from 'pngjs';

import { HASH } from '../support/index.js';
import { hostedLogin, readQr, shopOrigin, useStage } from './support/index.js';

const stage = useStage();

describe('Cancel', () => {
  it.each(['before the scan', 'after the scan'])('withdraws the request and goes back to the relying party (%s)', async (when) => {
    const login = await hostedLogin(stage);
    if (when === 'after the scan') {
      await login.scan();
      await login.state('SCANNED');
    }
    await login.at('cancel').click();
    await login.page.waitForURL(`${await shopOrigin()}/`);
    expect(await login.shop.statusOf(login.login, 'CANCELLED')).toBe('CANCELLED');
    expect((await login.phone.confirm(login.login.sessionId)).status).toBe(410);
  });

  it('goes to the start page of the relying party where the browser has no page to go back to', async () => {
    const login = await hostedLogin(stage);
    const { handoffToken } = await login.shop.login({ redirect_uri: `${await shopOrigin()}/callback`, hosted_page: true });
    const opens = login.page.context().waitForEvent('page');
    await login.page.evaluate(
      (address) => void open(address, '_blank', 'noopener'),
      `${stage.addresses.login}/?t=${encodeURIComponent(handoffToken ?? '')}`,
    );
    const alone = await opens;
    await alone.locator('html[data-state="WAITING"]').waitFor();
    await alone.getByTestId('cancel').click();
    await alone.waitForURL(`${await shopOrigin()}/`);
  });
});

describe('the end of a request', () => {
  it.each([
    ['DECLINED', 'Not confirmed'],
    ['WITHDRAWN', 'Cancelled'],
    ['CONTINUED_ELSEWHERE', 'Continued elsewhere'],
  ] as const)('has words, a picture and a way of its own: %s', async (end, title) => {
    const visitor = await stage.visitor();
    const login = await hostedLogin(stage, { visitor });
    if (end === 'DECLINED') {
      await login.scan();
      await login.decline();
    } else if (end === 'WITHDRAWN') await login.shop.cancel(login.login);
    else await hostedLogin(stage, { visitor });
    await login.state(end);
    expect(await login.at('title').textContent()).toBe(title);
    expect(await login.page.locator('.emblem .picture').count()).toBe(1);
    await login.at('back').click();
    await login.page.waitForURL(`${await shopOrigin()}/`);
  });

  it('says of a signature that nothing was signed', async () => {
    const login = await hostedLogin(stage, { signing: true });
    await login.scan();
    await login.decline();
    await login.state('DECLINED');
    expect(await login.at('status').textContent()).toContain('Nothing was signed');
  });
});

describe('a signature', () => {
  it('names the document, its size and its fingerprint before and after the scan', async () => {
    const login = await hostedLogin(stage, { signing: true });
    expect(await login.at('title').textContent()).toBe('Sign with your phone');
    for (const step of ['before', 'after']) {
      if (step === 'after') {
        await login.scan();
        await login.state('SCANNED');
      }
      expect(await login.at('document-name').textContent()).toBe('Rental contract.pdf');
      expect(await login.at('document-size').textContent()).toBe('142 kB');
      expect((await login.at('document-hash').textContent())?.replaceAll(' ', '')).toBe(HASH);
      expect(await login.at('document-hash').locator('strong').allTextContents()).toEqual([HASH.slice(0, 8), HASH.slice(-8)]);
    }
  });
});

describe('a scan', () => {
  it('is a step on the way, which the page marks as the current one', async () => {
    const login = await hostedLogin(stage);
    await login.scan();
    await login.state('SCANNED');
    expect(await login.at('progress').locator('[aria-current="step"]').textContent()).toBe('Confirm on your phone');
    expect(await login.page.locator('.pulse.done').count()).toBe(0);
  });
});

describe('a pushed request', () => {
  it('says that it is on the phone, sends it again, and shows the code on demand', async () => {
    const login = await hostedLogin(stage, { push: true });
    expect(await login.at('status').textContent()).toBe('We have sent a request to your phone.');
    expect(await login.at('qr-code').count()).toBe(0);
    await login.at('push-again').click();
    await login.at('sent-again').filter({ hasText: 'Sent again.' }).waitFor();
    await login.at('show-code').click();
    expect(await readQr(login.at('qr'))).toContain(login.login.sessionId);
  });

  it('falls back to the code when it cannot be sent again', async () => {
    const login = await hostedLogin(stage, { push: true });
    await login.page.route('**/session/push?*', (route) => route.fulfill({ status: 200, json: { pushStatus: 'NO_DEVICE' } }));
    await login.at('push-again').click();
    await login.at('notice').waitFor();
    await login.at('qr-code').waitFor();
  });
});

describe('the relying party', () => {
  it('is shown with its domain and its logo', async () => {
    const login = await hostedLogin(stage);
    expect(await login.at('domain').textContent()).toBe(new URL(await shopOrigin()).host);
    expect(await login.at('logo').count()).toBe(0);
    const png = new PNG({ width: 64, height: 64 });
    png.data.fill(160);
    await stage.staff.ask('PUT', `/clients/${login.shop.clientId}/logo`, { image: PNG.sync.write(png).toString('base64') });
    const { handoffToken } = await login.shop.login({ redirect_uri: `${await shopOrigin()}/callback`, hosted_page: true });
    await login.page.goto(`${stage.addresses.login}/?t=${encodeURIComponent(handoffToken ?? '')}`);
    await login.at('logo').waitFor();
    const drawn = () =>
      login.at('logo').evaluate((image) => (image as HTMLImageElement).decode().then(() => (image as HTMLImageElement).naturalWidth));
    expect(await drawn()).toBe(64);
  });
});

describe('“Open the app”', () => {
  it('says so when this device has no app, and the code is still there', async () => {
    const login = await hostedLogin(stage);
    expect(await login.at('no-app').isVisible()).toBe(false);
    await login.at('open-app').click();
    await login.at('no-app').filter({ hasText: 'No app has opened.' }).waitFor();
    expect(await readQr(login.at('qr'))).toContain(login.login.sessionId);
  });

  it('says nothing when the browser asks whether to open it', async () => {
    const login = await hostedLogin(stage);
    await login.page.clock.install();
    await login.at('open-app').click();
    await login.page.evaluate(() => dispatchEvent(new Event('blur')));
    await login.page.clock.runFor(10_000);
    expect(await login.at('no-app').isVisible()).toBe(false);
  });
});

describe('the app that returns', () => {
  it('opens a page that goes on by its cookie, in a tab of its own', async () => {
    const login = await hostedLogin(stage);
    await login.page.goto('about:blank');
    await login.scan();
    const tab = await login.page.context().newPage();
    await tab.goto(`${stage.addresses.login}/#r`);
    await tab.locator('html[data-state="SCANNED"]').waitFor();
    await login.confirm();
    await tab.waitForURL(/\/callback\?code=/);
  });

  it('finds no login in another browser', async () => {
    const other = await (await stage.visitor()).open(`${stage.addresses.login}/#r`);
    await other.locator('html[data-state="OTHER_BROWSER"]').waitFor();
  });
});
