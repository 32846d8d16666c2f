import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';

import { eventually } from '#testkit/kernel/eventually';

import { RelyingParty } from '../support/index.js';
import { accessibilityFaults, layoutFaults, payloadOf, pictureFaults, useStage, type WebPhone } from './support/index.js';

const stage = useStage();

/** Of the relying party. */
let server: Server;
/** The person whom each logout token names. */
const loggedOut: (string | undefined)[] = [];
let shop: RelyingParty;

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      loggedOut.push(decodeJwt(new URLSearchParams(text).get('logout_token') ?? '').sub);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const backchannel_logout_uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/logout`;
  shop = await RelyingParty.register(stage.service, { name: 'Lighthouse Insurance', backchannel_logout_uri });
});
afterAll(() => {
  server.close();
});

/** A phone whose holder the pictures may show. */
const newPhone = async (): Promise<WebPhone> => stage.phone({ of: await stage.staff.registerPerson({ given_name: 'Ada', family_name: 'Byron' }) });

/** A login at the relying party. Answers what it calls the person. The phone is at home then. */
const logIn = async (phone: WebPhone, client = shop): Promise<string> => {
  const login = await client.login();
  await phone.paste(payloadOf(login.sessionId, ''));
  await phone.confirm();
  await phone.at('done').click();
  await phone.screen('HOME');
  // No button is shown as one under the pointer.
  await phone.page.mouse.move(0, 0);
  const { json } = await client.token(await client.redeemableCode(login), login.verifier);
  return json!['subjectId'] as string;
};

describe('the last requests on the web phone', () => {
  it('offer the log-out at the newest login of each relying party that takes it, in every language and without a broken word', async () => {
    const phone = await newPhone();
    await logIn(phone, await RelyingParty.register(stage.service, { name: 'Takes no log-outs' }));
    await logIn(phone);
    await logIn(phone);
    const entries = phone.at('history').locator('li');
    const offered = await Promise.all((await entries.all()).map((entry) => entry.getByTestId('log-out').count()));
    expect(offered).toEqual([1, 0, 0]);
    expect(await phone.at('log-out').textContent()).toBe('Log out there');
    expect(await pictureFaults(phone.page, 'phone-log-out', ['time'])).toEqual([]);
    expect(await accessibilityFaults(phone.page, 'home, log-out')).toEqual([]);
    const faults: string[] = [];
    for (const language of ['et', 'de', 'ru', 'lv', 'lt', 'en']) {
      await phone.at('language').selectOption(language);
      await phone.page.locator(`html[lang="${language}"]`).waitFor();
      for (const width of [320, 360]) {
        await phone.page.setViewportSize({ width, height: 780 });
        faults.push(...(await layoutFaults(phone.page, `log-out, ${language}, ${width}`)));
      }
    }
    expect(faults).toEqual([]);
  });

  it('log the person out there, say so, and offer it again after the next login', async () => {
    const phone = await newPhone();
    const sub = await logIn(phone);
    await phone.at('log-out').focus();
    await phone.page.keyboard.press('Enter');
    await phone.at('log-out-end').filter({ hasText: 'Lighthouse Insurance is told to log you out.' }).waitFor();
    expect(await phone.at('log-out').count()).toBe(0);
    await phone.page.locator('[role="status"]', { hasText: 'Lighthouse Insurance is told to log you out.' }).waitFor({ state: 'attached' });
    await eventually(() => loggedOut.includes(sub), { what: 'the logout token arrives', within: 30_000 });
    expect(loggedOut.filter((each) => each === sub)).toHaveLength(1);
    expect(await pictureFaults(phone.page, 'phone-logged-out', ['time'])).toEqual([]);
    expect(await accessibilityFaults(phone.page, 'home, logged out')).toEqual([]);
    await logIn(phone);
    expect([await phone.at('log-out').count(), await phone.at('log-out-end').count()]).toEqual([1, 0]);
  });

  it('say where a relying party no longer takes log-outs, and let the person try again without a connection', async () => {
    const phone = await newPhone();
    const client = await RelyingParty.register(stage.service, { backchannel_logout_uri: 'http://127.0.0.1:9/logout' });
    await logIn(phone, client);
    await phone.page.context().setOffline(true);
    await phone.at('log-out').click();
    await phone.at('log-out-end').filter({ hasText: 'That did not work. Please try again.' }).waitFor();
    await phone.page.context().setOffline(false);
    await stage.staff.ask('PATCH', `/clients/${client.clientId}`, { backchannel_logout_uri: '' });
    await phone.at('log-out').click();
    await phone
      .at('log-out-end')
      .filter({ hasText: `${client.name} takes no log-outs from this phone. Log out on its own page.` })
      .waitFor();
    expect(await phone.at('log-out').count()).toBe(0);
  });
});
