import { randomBytes } from 'node:crypto';

import { afterEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';

import { accessibilityFaults, layoutFaults, useStage, type WebPhone } from './support/index.js';

const stage = useStage();

let faults: string[] = [];

const look = async (page: Page, screen: string): Promise<void> => {
  faults.push(...(await accessibilityFaults(page, screen)));
  await page.setViewportSize({ width: 320, height: 640 });
  faults.push(...(await layoutFaults(page, `${screen}, 320`)));
};

afterEach(() => {
  faults = [];
});

const at = (page: Page, id: string) => page.getByTestId(id);
const textAt = async (page: Page, id: string): Promise<string> => (await at(page, id).textContent()) ?? '';

/** From the portal over the hosted page and the phone, back to the portal. */
const logIn = async (page: Page, phone: WebPhone): Promise<void> => {
  await at(page, 'log-in').click();
  await page.locator('html[data-state="WAITING"]').waitFor();
  await phone.paste((await at(page, 'open-app').getAttribute('href')) ?? '');
  await phone.confirm();
  await at(page, 'log-out').waitFor();
};

const openLink = async (link: unknown): Promise<Page> => (await stage.visitor()).open(String(link));

describe('the portal', () => {
  it('leads a relying party from its invitation to a secret that works, by keyboard and on every screen', async () => {
    const invited = await stage.staff.ask('POST', '/invitations', { label: 'night-shift', roles: ['operator', 'security'] });
    const staff = await openLink(invited['link']);
    await at(staff, 'log-in').waitFor();
    expect(new URL(staff.url()).hash).toBe('');
    await look(staff, 'portal: invitation');
    await logIn(staff, await stage.phone());
    await look(staff, 'portal: staff');

    const name = `Shop ${randomBytes(4).toString('hex')}`;
    await at(staff, 'new-name').fill(name);
    await at(staff, 'new-redirect-uri').fill('https://shop.example/first');
    await at(staff, 'new-redirect-uri').press('Enter');
    await at(staff, 'client-id').waitFor();
    await at(staff, 'invite-label').fill('shop-owner');
    await at(staff, 'invite-label').press('Enter');
    await at(staff, 'invitation-link').waitFor();
    await look(staff, 'portal: relying party');

    const member = await openLink(await textAt(staff, 'invitation-link'));
    await logIn(member, await stage.phone());
    await member.getByRole('button', { name }).press('Enter');
    await at(member, 'redirect-uris').fill('https://shop.example/back');
    await at(member, 'save').press('Enter');
    await at(member, 'notice').filter({ hasText: 'Saved.' }).waitFor();
    await at(member, 'new-secret').press('Enter');
    await look(member, 'portal: before a new secret');
    await at(member, 'new-secret-yes').press('Enter');
    await at(member, 'client-secret').waitFor();
    await look(member, 'portal: new secret');

    const [clientId, clientSecret] = [await textAt(member, 'client-id'), await textAt(member, 'client-secret')];
    expect(await textAt(member, 'quick-start')).toContain(clientId);
    const answer = await stage.service.send({
      method: 'POST',
      path: '/relying-party/v1/session',
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      json: {
        signature_type: 'AUTHENTICATION',
        redirect_uri: 'https://shop.example/back',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      },
    });
    expect(answer.status).toBe(200);

    await at(member, 'log-out').click();
    await at(member, 'log-in').waitFor();
    await member.reload();
    await at(member, 'log-in').waitFor();
    expect(faults).toEqual([]);
  });

  it.each(['en', 'et', 'de', 'ru', 'lv', 'lt'])('speaks the language of the browser: %s', async (locale) => {
    const page = await (await stage.visitor({ locale })).open(`${stage.addresses.service}/portal/#refused=invitation`);
    await at(page, 'notice').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe(locale);
    expect(await layoutFaults(page, `portal in ${locale}`)).toEqual([]);
  });
});
