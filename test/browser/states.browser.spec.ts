import { describe, expect, it } from '@jest/globals';

import { UUID } from '../support/index.js';
import { type DemoLibrary, sessionIn, useStage, type WebPhone, WRONG_PIN } from './support/index.js';

const stage = useStage();

const text = async (demo: DemoLibrary): Promise<string> => (await demo.at('status').textContent()) ?? '';

describe('a request that the phone declines', () => {
  it('ends on the hosted page, which leads back to the relying party', async () => {
    const phone = await stage.anyPhone();
    const demo = await stage.demo(await stage.visitor());
    await phone.paste(await demo.logInOnHostedPage());
    await phone.decline();
    expect(await phone.title()).toBe('Declined');
    await demo.hosted('DECLINED');
    await demo.at('back').click();
    await demo.page.waitForURL(`${stage.addresses.demo}/`);
  });

  it('ends on the relying party’s own page, which offers to begin again', async () => {
    const phone = await stage.anyPhone();
    const demo = await stage.demo(await stage.visitor());
    const link = await demo.logInHere();
    await phone.paste(link);
    await phone.decline();
    await demo.scene('CANCELLED');
    await demo.page.locator('[data-scene="CANCELLED"]').getByTestId('again').click();
    await demo.scene('PENDING');
    await phone.at('done').click();
    await phone.paste(link.replace(sessionIn(link), await demo.sessionShown()));
    await phone.confirm();
    expect(await demo.subjectId()).toMatch(UUID);
  });

  it('counts as declined when the phone leaves the page', async () => {
    const phone = await stage.anyPhone();
    const demo = await stage.demo(await stage.visitor());
    await phone.paste(await demo.logInOnHostedPage());
    // A browser under load may end a page before its handlers have run. So the event comes first, and then the page ends.
    await phone.page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')));
    await phone.page.goto('about:blank');
    await demo.hosted('DECLINED');
  });
});

describe('wrong PINs', () => {
  it('lock the phone at the third, and end the request', async () => {
    const phone = await stage.anyPhone();
    const demo = await stage.demo(await stage.visitor());
    await phone.paste(await demo.logInOnHostedPage());
    await phone.at('confirm').click();
    for (const left of [2, 1]) {
      await phone.enterPin(WRONG_PIN);
      await phone.page.getByText(`Attempts left: ${left}.`).waitFor();
    }
    await phone.enterPin(WRONG_PIN);
    await phone.screen('OUTCOME');
    expect(await phone.title()).toBe('This phone is locked');
    expect(await phone.at('locked-until').textContent()).toMatch(/^You can use this phone again from .*\d\d:\d\d/);
    await demo.hosted('DECLINED');
  });

  it('do not end the request while attempts are left', async () => {
    const phone = await stage.anyPhone();
    const demo = await stage.demo(await stage.visitor());
    await phone.paste(await demo.logInOnHostedPage());
    await phone.at('confirm').click();
    await phone.enterPin(WRONG_PIN);
    await phone.at('fault').waitFor();
    await phone.enterPin();
    expect(await demo.subjectId()).toMatch(UUID);
  });
});

describe('a second login in the same browser', () => {
  it('supersedes the first, which says so; the second continues', async () => {
    const phone = await stage.anyPhone();
    const visitor = await stage.visitor();
    const first = await stage.demo(visitor);
    await first.logInOnHostedPage();
    const second = await stage.demo(visitor);
    const link = await second.logInOnHostedPage();
    await first.hosted('CONTINUED_ELSEWHERE');
    await phone.paste(link);
    await phone.confirm();
    expect(await second.subjectId()).toMatch(UUID);
  });
});

describe('a phone that comes second', () => {
  it('shows that another phone has the request', async () => {
    const phones: WebPhone[] = [await stage.anyPhone(), await stage.anyPhone()];
    const demo = await stage.demo(await stage.visitor());
    const link = await demo.logInOnHostedPage();
    await phones[0]!.paste(link);
    await phones[1]!.at('link').fill(link);
    await phones[1]!.at('open-link').click();
    await phones[1]!.screen('OUTCOME');
    expect(await phones[1]!.title()).toBe('Already on another phone');
  });
});

describe('a link that arrives while a request is open', () => {
  it('scans nothing and declines nothing before a tap', async () => {
    const phone = await stage.anyPhone();
    const [demo, attacker] = [await stage.demo(await stage.visitor()), await stage.demo(await stage.visitor())];
    await phone.paste(await demo.logInOnHostedPage());
    const link = await attacker.logInOnHostedPage();
    await phone.page.evaluate((hash) => (location.hash = hash), encodeURIComponent(link));
    await phone.screen('PREVIEW');
    expect(await phone.at('declines-open').textContent()).toBe('If you continue, the open request of Harbour Library is declined.');
    await phone.at('not-now').click();
    await phone.confirm();
    expect(await demo.subjectId()).toMatch(UUID);
    await attacker.hosted('WAITING');
  });
});

describe('the network', () => {
  it('may fail and return: the hosted page says so and continues', async () => {
    const phone = await stage.anyPhone();
    const visitor = await stage.visitor();
    const demo = await stage.demo(visitor);
    const link = await demo.logInOnHostedPage();
    await visitor.offline(true);
    // A held call stays open when the browser goes offline. The change ends that call, and the next call shows the page that it is offline.
    await phone.paste(link);
    await demo.at('offline').waitFor({ state: 'visible' });
    await visitor.offline(false);
    await demo.at('offline').waitFor({ state: 'hidden' });
    await demo.hosted('SCANNED');
    await phone.confirm();
    expect(await demo.subjectId()).toMatch(UUID);
  });

  it('may fail and return: the relying party’s own page says so and continues', async () => {
    const phone = await stage.anyPhone();
    const visitor = await stage.visitor();
    const demo = await stage.demo(visitor);
    const link = await demo.logInHere();
    await visitor.offline(true);
    await phone.paste(link);
    await demo.page.locator('[data-offline]').waitFor({ state: 'visible' });
    await visitor.offline(false);
    await demo.page.locator('[data-offline]').waitFor({ state: 'hidden' });
    await phone.confirm();
    expect(await demo.subjectId()).toMatch(UUID);
  });
});

describe('a reload', () => {
  it.each(['before the scan', 'after the scan'])('resumes the login on the hosted page (%s)', async (when) => {
    const phone = await stage.anyPhone();
    const demo = await stage.demo(await stage.visitor());
    const link = await demo.logInOnHostedPage();
    if (when === 'after the scan') await phone.paste(link);
    await demo.page.reload();
    await demo.hosted(when === 'after the scan' ? 'SCANNED' : 'WAITING');
    if (when === 'before the scan') {
      expect(await demo.hostedLink()).toBe(link);
      await phone.paste(link);
    }
    await phone.confirm();
    expect(await demo.subjectId()).toMatch(UUID);
  });

  it.each(['sends', 'loses'])('of the web phone during a request counts as leaving, when the browser %s the message of it', async (fate) => {
    const phone = await stage.anyPhone();
    const demo = await stage.demo(await stage.visitor());
    await phone.paste(await demo.logInOnHostedPage());
    if (fate === 'loses') await phone.page.evaluate(() => (globalThis.fetch = () => Promise.reject(new TypeError('the page is gone'))));
    await phone.page.reload();
    await phone.screen('HOME');
    await demo.hosted('DECLINED');
  });
});

describe('the hosted page', () => {
  it('refuses a link that was used already, also in another browser', async () => {
    const demo = await stage.demo(await stage.visitor());
    const opened = stage.handoff(demo);
    await demo.logInOnHostedPage();
    const other = await (await stage.visitor()).open(await opened);
    await other.locator('html[data-state="INVALID_HANDOFF"]').waitFor();
    expect(await text(demo)).toBe('Scan this code with the Countersign app on your phone.');
  });

  it('does not continue in a browser that did not begin the login', async () => {
    const demo = await stage.demo(await stage.visitor());
    const sessionId = sessionIn(await demo.logInOnHostedPage());
    const other = await (await stage.visitor()).open(`${stage.addresses.login}/#${sessionId}`);
    await other.locator('html[data-state="OTHER_BROWSER"]').waitFor();
  });

  it('says that there is no request when it is opened without one', async () => {
    const page = await (await stage.visitor()).open(`${stage.addresses.login}/`);
    await page.locator('html[data-state="NOTHING_TO_DO"]').waitFor();
  });
});
