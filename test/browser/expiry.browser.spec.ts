import { describe, expect, it } from '@jest/globals';

import { startsProcesses } from '../support/index.js';
import { accessibilityFaults, hostedLogin, hostedPictureFaults, useStage } from './support/index.js';

// Where the suite starts the service itself: only then may it move the clock.
(startsProcesses ? describe : describe.skip)('a request that is not confirmed', () => {
  const time = useStage({ ownService: 'expiry' });

  it('expires on the hosted page, on the phone, and on the relying party’s own page, which axe finds clean', async () => {
    const phone = await time.anyPhone();
    const [hosted, own] = [await time.demo(await time.visitor()), await time.demo(await time.visitor())];
    const shop = await hostedLogin(time, { name: 'Harbour Bank' });
    await own.logInHere();
    await phone.paste(await hosted.logInOnHostedPage());
    await hosted.hosted('SCANNED');
    await time.pass(121);
    await hosted.hosted('EXPIRED');
    await own.scene('EXPIRED');
    await shop.state('EXPIRED');
    await phone.at('confirm').click();
    await phone.enterPin();
    await phone.screen('OUTCOME');
    expect(await phone.title()).toBe('Time ran out');
    expect(await hostedPictureFaults(shop.page, 'hosted-expired')).toEqual([]);
    expect([...(await accessibilityFaults(hosted.page, 'hosted: expired')), ...(await accessibilityFaults(own.page, 'own: expired'))]).toEqual([]);
    await hosted.at('back').click();
    await hosted.page.waitForURL(`${time.addresses.demo}/`);
    await hosted.logInOnHostedPage();
  });
});
