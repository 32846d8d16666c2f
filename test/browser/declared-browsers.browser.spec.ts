import { afterAll, beforeAll, describe, it } from '@jest/globals';

import { RelyingParty } from '../support/index.js';
import { PIN, useStage } from './support/index.js';
import { DECLARED_BROWSERS, type DeclaredWindow } from './support/declared-window.js';
import { CALLBACK, Front } from './support/front.js';

let front: Front;
const stage = useStage({
  ownService: 'declared-browsers',
  settings: async () => {
    front = await Front.start();
    const { tlsOrigin: origin, plainOrigin } = front;
    return {
      BASE_URL: origin,
      LOGIN_URL: `${origin}/login`,
      APP_URL: `${origin}/phone`,
      PORTAL_URL: `${origin}/portal`,
      // The portal is a relying party of its own service, and does not know the CA.
      INTERNAL_URL: plainOrigin,
    };
  },
});
beforeAll(() => {
  front.service = stage.service.baseUrls[0] ?? '';
});
afterAll(() => front[Symbol.asyncDispose]());

const named = (testid: string): string => `[data-testid="${testid}"]`;
const phoneScreen = (state: string): string => `main[data-state="${state}"]`;

const enterPin = async (window: DeclaredWindow): Promise<void> => {
  for (const digit of PIN) await window.click(named(`digit-${digit}`));
  await window.click(named('pin-submit'));
};

/** Sets up the web phone of the window for a new person. */
const setUpPhone = async (window: DeclaredWindow): Promise<void> => {
  const code = await stage.staff.activationCode(await stage.staff.registerPerson());
  await window.goto(`${front.tlsOrigin}/phone/#activate=${encodeURIComponent(code)}`);
  await window.see(phoneScreen('ENROL_CODE'));
  await window.click(named('next'));
  await window.see(phoneScreen('ENROL_HOLDER'));
  await window.click(named('continue'));
  await window.see(phoneScreen('ENROL_PIN'));
  await enterPin(window);
  await window.see(phoneScreen('ENROL_PIN_AGAIN'));
  await enterPin(window);
  await window.see(phoneScreen('HOME'));
};

/** From the hosted page that waits over the web phone in the same window; the phone goes back by itself. */
const confirmHere = async (window: DeclaredWindow): Promise<void> => {
  await window.see('html[data-state="WAITING"]');
  await window.see(named('qr-code'));
  await window.click(named('open-web-phone'));
  await window.see(phoneScreen('PREVIEW'));
  await window.click(named('continue'));
  await window.see(phoneScreen('CONSENT'));
  await window.click(named('confirm'));
  await window.see(phoneScreen('PIN'));
  await enterPin(window);
};

for (const { name, isThere, open } of DECLARED_BROWSERS)
  (isThere() || process.env['CI'] ? describe : describe.skip)(`in ${name}`, () => {
    it('a person sets up the web phone, logs in on the hosted page, and accepts an invitation to the portal', async () => {
      await using window = await open();
      await setUpPhone(window);

      const redirectUri = `${front.tlsOrigin}${CALLBACK}`;
      const shop = await RelyingParty.register(stage.service, { redirect_uris: [redirectUri] });
      const { handoffToken } = await shop.login({ redirect_uri: redirectUri, hosted_page: true });
      await window.goto(`${front.tlsOrigin}/login/?t=${encodeURIComponent(handoffToken ?? '')}`);
      await confirmHere(window);
      await window.see('#shop');

      const { link } = await stage.staff.ask('POST', `/clients/${shop.clientId}/invitations`, { label: 'shop-owner' });
      await window.goto(String(link));
      await window.click(named('log-in'));
      await confirmHere(window);
      await window.see(named('log-out'));
    });
  });
