import { describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { UUID } from '../support/index.js';
import { accessibilityFaults, Keyboard, layoutFaults, useStage, WebPhone, WRONG_PIN } from './support/index.js';

const stage = useStage();

const ANDROID = 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';

describe('the home of the web phone', () => {
  it('says whose phone it is, what became of the last requests, and forgets both with the keys', async () => {
    const person = await stage.staff.registerPerson({ given_name: 'Ada', family_name: 'Byron' });
    const phone = await stage.phone({ of: person });
    const demo = await stage.demo(await stage.visitor());
    expect(await phone.at('device-holder').textContent()).toBe('Ada Byron');
    expect(await phone.at('history').textContent()).toContain('None yet');

    await phone.paste(await demo.logInOnHostedPage());
    await phone.confirm();
    expect(await phone.at('outcome').textContent()).toBe('Done. Continue where you started.');
    expect(await phone.at('return').count()).toBe(0);
    await demo.subjectId();
    await demo.logOut();
    await phone.at('done').click();
    await phone.paste(await demo.logInOnHostedPage());
    await phone.decline();
    await phone.at('done').click();
    const entries = phone.at('history').locator('li');
    const words = async (): Promise<string[]> => (await entries.allTextContents()).map((text) => text.replace(/Login.*/, 'Login'));
    expect(await words()).toEqual(['Harbour LibraryDeclinedLogin', 'Harbour LibraryConfirmedLogin']);

    await phone.page.reload();
    await phone.screen('HOME');
    expect(await words()).toHaveLength(2);
    expect(await accessibilityFaults(phone.page, 'home with history')).toEqual([]);

    await phone.at('device').locator('summary').click();
    await phone.at('remove').click();
    await phone.at('remove-confirm').click();
    await phone.screen('ENROL_CODE');
    await phone.page.goto(await stage.activationLink());
    await phone.setUp();
    expect(await entries.count()).toBe(0);
  });

  it('tells the PIN attempts that are left, and of a locked phone only that it is locked', async () => {
    const phone = await stage.phone();
    const demo = await stage.demo(await stage.visitor());
    await phone.at('title').filter({ hasText: 'Ready to confirm' }).waitFor();
    expect(await phone.at('device-pin').textContent()).toBe('Set');
    await phone.paste(await demo.logInOnHostedPage());
    await phone.at('confirm').click();
    await phone.enterPin(WRONG_PIN);
    await phone.at('fault').waitFor();
    await phone.decline();
    await phone.at('done').click();
    await phone.at('title').filter({ hasText: 'Ready to confirm' }).waitFor();
    expect(await phone.at('device-pin').textContent()).toBe('Attempts left: 2');

    await demo.page.goto(stage.addresses.demo);
    await phone.paste(await demo.logInOnHostedPage());
    await phone.at('confirm').click();
    for (let tries = 0; tries < 3 && (await phone.page.locator('main[data-state="OUTCOME"]').count()) === 0; tries++) {
      await phone.enterPin(WRONG_PIN);
      await phone.page.locator('main[data-state="OUTCOME"], [data-testid="fault"]').waitFor();
    }
    await phone.screen('OUTCOME');
    await phone.at('done').click();
    expect(await phone.title()).toBe('This phone is locked');
    expect(await phone.at('device-pin').textContent()).toBe('Locked');
    expect(await phone.at('locked-until').textContent()).toMatch(/^You can use this phone again from /);
    expect(await phone.at('scan').count()).toBe(0);
    expect(await phone.at('link').count()).toBe(0);
    await phone.page.reload();
    await phone.at('title').filter({ hasText: 'This phone is locked' }).waitFor();
    expect(await accessibilityFaults(phone.page, 'home, locked')).toEqual([]);
    await phone.page.setViewportSize({ width: 320, height: 640 });
    expect(await layoutFaults(phone.page, 'home, locked')).toEqual([]);
  });
});

describe('an activation by link', () => {
  it('folds the code away, shows it on demand, and asks whether the person is the right one, by keyboard alone', async () => {
    const visitor = await stage.visitor();
    const person = await stage.staff.registerPerson({ given_name: 'Ada', family_name: 'Byron' });
    const phone = new WebPhone(await visitor.open(await stage.activationLink(person)));
    await phone.screen('ENROL_CODE');
    expect(await phone.at('activation-code').isVisible()).toBe(false);
    expect(await phone.at('code-notice').textContent()).toContain('came with the link');
    const keys = new Keyboard(phone.page);
    await keys.activate('[data-testid="code-by-link"] summary');
    expect(await phone.at('activation-code').isVisible()).toBe(true);
    await keys.activate('[data-testid="next"]');
    await phone.screen('ENROL_HOLDER');
    expect(await phone.at('holder').textContent()).toContain('Ada Byron');
    await keys.activate('[data-testid="not-me"]');
    await phone.screen('ENROL_CODE');
    expect(await phone.at('activation-code').inputValue()).toBe('');
  });
});

describe('a person with two phones', () => {
  it('is told on the first one of the second, and removes that one by the PIN', async () => {
    const person = await stage.staff.registerPerson();
    const first = await stage.phone({ of: person });
    const second = await stage.phone({ of: person });
    await first.page.reload();
    await first.at('new-devices').waitFor();
    expect(await accessibilityFaults(first.page, 'home, new phone')).toEqual([]);
    await first.at('accept-devices').click();
    // The notice goes when the answer is stored.
    await first.at('new-devices').waitFor({ state: 'detached' });
    await first.page.reload();
    // The home screen folds the list when it is drawn again.
    await first.at('title').filter({ hasText: 'Ready to confirm' }).waitFor();
    await first.at('other-devices').locator('summary').click();
    expect(await first.at('new-devices').count()).toBe(0);
    await first.at('revoke').click();
    await first.screen('REVOKE');
    expect(await accessibilityFaults(first.page, 'remove a phone')).toEqual([]);
    await first.enterPin(WRONG_PIN);
    await first.at('fault').waitFor();
    await first.enterPin();
    await first.at('notice').filter({ hasText: 'The phone was removed.' }).waitFor();
    expect(await first.at('other-devices').count()).toBe(0);
    await second.page.reload();
    await second.screen('REVOKED');
  });
});

describe('on one device', () => {
  it('a button appears only where the browser refuses to go back by itself', async () => {
    const visitor = await stage.visitor({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, userAgent: ANDROID });
    await stage.phone({ visitor });
    const demo = await stage.demo(visitor);
    await demo.at('login-own').click();
    const phone = await stage.openedPhone(demo);
    let refused = 0;
    // 204: the browser stays where it is.
    await phone.page.route(`${stage.addresses.demo}/**`, (route) => (refused++ === 0 ? route.fulfill({ status: 204 }) : route.continue()));
    await phone.goOn();
    await phone.confirm();
    await phone.at('going-back').waitFor();
    expect(await phone.at('outcome').textContent()).toBe('Done. Taking you back to Harbour Library…');
    expect(await phone.at('return').count()).toBe(0);
    await phone.at('return').waitFor();
    expect(refused).toBe(1);
    expect(await phone.at('outcome').textContent()).toBe('Done. Your browser did not go back by itself.');
    await phone.at('return').click();
    expect(await demo.subjectId()).toMatch(UUID);
  });
});

describe('the inbox', () => {
  it('names the relying party, in every language and without a broken word, and opens its request', async () => {
    const phone = await stage.phone();
    const { demo } = await stage.demoThatCanPush(phone);
    await demo.at('login-own').click();
    await demo.at('push-note').waitFor();
    await phone.at('inbox-item').waitFor();
    expect(await phone.at('inbox-item').locator('span').textContent()).toBe('Harbour Library asks you to log in');
    const faults: string[] = [];
    for (const language of ['et', 'de', 'ru', 'lv', 'lt', 'en']) {
      await phone.at('language').selectOption(language);
      await phone.page.locator(`html[lang="${language}"]`).waitFor();
      for (const width of [320, 360]) {
        await phone.page.setViewportSize({ width, height: 780 });
        faults.push(...(await layoutFaults(phone.page, `inbox, ${language}, ${width}`)));
      }
    }
    expect(faults).toEqual([]);
    expect(await accessibilityFaults(phone.page, 'inbox')).toEqual([]);
    await phone.at('inbox-open').click();
    await phone.confirm(await demo.at('verification-code').textContent());
    await demo.subjectId();
  });
});

/** The parts of a service worker's scope that the test uses inside it. */
interface WorkerScope extends EventTarget {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: { openWindow: (url: string) => Promise<null>; readonly matchAll: (options: object) => Promise<readonly unknown[]> };
  readonly NotificationEvent: new (type: string, init: { readonly notification: Notification }) => Event;
}

describe('a push', () => {
  it('wakes the phone when its page is closed: a notification that names no one, and whose click opens the phone', async () => {
    const visitor = await stage.visitor({ serviceWorkers: 'allow' });
    const phone = await stage.phone({ visitor });
    const { page } = phone;
    await visitor.context.grantPermissions(['notifications'], { origin: new URL(stage.addresses.phone).origin });
    await page.evaluate(() => navigator.serviceWorker.ready);
    const worker = visitor.context.serviceWorkers()[0]!;
    const elsewhere = await visitor.open('about:blank');
    const tools = await visitor.context.newCDPSession(elsewhere);
    const registered = new Promise<string>((resolve) =>
      tools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const ours = registrations.find(({ scopeURL }) => scopeURL.startsWith(stage.addresses.phone));
        if (ours) resolve(ours.registrationId);
      }),
    );
    await tools.send('ServiceWorker.enable');
    const registrationId = await registered;
    await page.close();

    const origin = new URL(stage.addresses.phone).origin;
    // A page that is still being closed would be brought to the front in place of a new window.
    const pages = (): Promise<number> =>
      worker.evaluate(
        async () => (await (globalThis as unknown as WorkerScope).clients.matchAll({ type: 'window', includeUncontrolled: true })).length,
      );
    await eventually(async () => (await pages()) === 0, { what: 'the page of the phone is closed' });
    await tools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: '{"type":"wake-up"}' });
    const notifications = (): Promise<{ title: string; body: string; tag: string }[]> =>
      worker.evaluate(async () => {
        const { registration } = globalThis as unknown as WorkerScope;
        return (await registration.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }));
      });
    await eventually(async () => (await notifications()).length > 0, { what: 'a notification is shown' });
    expect(await notifications()).toEqual([{ title: 'Countersign', body: 'A service asks for your confirmation.', tag: 'request' }]);

    // Chromium opens a window for a click of a person only, so the test reads which one would open.
    const opened = await worker.evaluate(async () => {
      const scope = globalThis as unknown as WorkerScope;
      const [notification] = await scope.registration.getNotifications();
      const address = new Promise<string>((resolve) => {
        scope.clients.openWindow = async (url) => (resolve(url), null);
      });
      scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification: notification! }));
      return { address: await address, left: (await scope.registration.getNotifications()).length };
    });
    expect(opened).toEqual({ address: `${stage.addresses.phone}/`, left: 0 });
  });
});
