import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { afterEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';

import { eventually } from '#kernel/testing';

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

/** A receiver of webhooks that takes every message. */
const receiver = async (): Promise<{ url: string; bodies: string[]; [Symbol.asyncDispose]: () => Promise<void> }> => {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, bodies, [Symbol.asyncDispose]: close };
};

/** A new member of a new relying party, at its page in the portal. */
const memberAtClient = async (): Promise<Page> => {
  const client = await stage.staff.ask('POST', '/clients', {
    name: `Shop ${randomBytes(4).toString('hex')}`,
    redirect_uris: ['https://shop.example/back'],
    allowed_attributes: [],
    allowed_predicates: [],
  });
  const { link } = await stage.staff.ask('POST', `/clients/${String(client['clientId'])}/invitations`, { label: 'shop-owner' });
  const page = await openLink(link);
  await logIn(page, await stage.anyPhone());
  await at(page, 'client').first().press('Enter');
  await at(page, 'client-id').waitFor();
  return page;
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
    await at(staff, 'keys').getByText('Encryption of stored data').waitFor();
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
    await at(member, 'allowed-attributes').fill('name');
    await at(member, 'save').press('Enter');
    await at(member, 'notice').filter({ hasText: 'Saved.' }).waitFor();
    await at(member, 'waiting-change').filter({ hasText: 'Now: https://shop.example/first' }).waitFor();
    await look(member, 'portal: a change that waits');

    await at(staff, 'back').press('Enter');
    await staff.locator('.row', { hasText: name }).getByTestId('waiting').press('Enter');
    await at(staff, 'waiting-change').filter({ hasText: 'Then: https://shop.example/back' }).waitFor();
    await look(staff, 'portal: consent');
    await at(staff, 'accept-change').press('Enter');
    await at(staff, 'decided').filter({ hasText: 'accepted' }).waitFor();
    expect(await at(staff, 'allowed-attributes').inputValue()).toBe('name');

    await at(member, 'new-secret').press('Enter');
    await look(member, 'portal: before a new secret');
    await at(member, 'new-secret-yes').press('Enter');
    await at(member, 'client-secret').waitFor();
    await look(member, 'portal: new secret');

    const image = PNG.sync.write(new PNG({ width: 64, height: 32 }));
    await at(member, 'logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: image });
    await at(member, 'logo-shown').getByText('People see this logo').waitFor();

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

    await at(member, 'session-id').fill(String(answer.json?.['sessionId']));
    await at(member, 'session-id').press('Enter');
    await at(member, 'session-end').filter({ hasText: 'no phone has opened it' }).waitFor();
    await look(member, 'portal: a session');
    await at(member, 'session-id').fill(clientId);
    await at(member, 'session-id').press('Enter');
    await at(member, 'notice').filter({ hasText: 'There is no such session' }).waitFor();

    await at(staff, 'disable').press('Enter');
    await at(staff, 'disable-yes').press('Enter');
    await at(staff, 'client-state').filter({ hasText: 'Disabled' }).waitFor();
    await at(staff, 'enable').press('Enter');
    await at(staff, 'client-state').filter({ hasText: 'accepted' }).waitFor();
    await staff.getByText('Began', { exact: true }).first().waitFor();
    await at(staff, 'funnel-days').press('Enter');
    await look(staff, 'portal: logins');
    await at(staff, 'delete').press('Enter');
    await at(staff, 'delete-yes').press('Enter');
    await at(staff, 'notice').filter({ hasText: 'The relying party was deleted.' }).waitFor();

    await at(member, 'log-out').click();
    await at(member, 'log-in').waitFor();
    await member.reload();
    await at(member, 'log-in').waitFor();
    expect(faults).toEqual([]);
  }, 240_000);

  it('shows a member what became of each webhook, and sends it again, by keyboard', async () => {
    await using hooks = await receiver();
    const member = await memberAtClient();
    await at(member, 'endpoint-url').fill(hooks.url);
    await at(member, 'endpoint-url').press('Enter');
    await at(member, 'signing-secret').waitFor();
    expect(await textAt(member, 'signing-secret')).toMatch(/^whsec_/);
    await look(member, 'portal: new endpoint');
    await at(member, 'endpoint').press('Enter');

    await at(member, 'ping').press('Enter');
    const delivery = member.locator('[data-testid="delivery"][data-state="succeeded"]');
    const refreshed = async (): Promise<boolean> => {
      await at(member, 'refresh').press('Enter');
      return (await delivery.count()) === 1;
    };
    await eventually(refreshed, { what: 'the ping has arrived', within: 60_000 });
    await delivery.locator('summary').press('Enter');
    expect(await textAt(member, 'payload')).toBe(hooks.bodies[0]);
    await look(member, 'portal: deliveries');

    await at(member, 'retry').press('Enter');
    await eventually(() => hooks.bodies.length > 1, { what: 'the ping arrives again', within: 60_000 });
    expect(hooks.bodies[1]).toBe(hooks.bodies[0]);
    await member.locator('summary:focus').waitFor();
    await at(member, 'recover').press('Enter');
    await at(member, 'notice').filter({ hasText: ': 0' }).waitFor();

    await at(member, 'session.scanned').uncheck();
    await at(member, 'endpoint-enabled').uncheck();
    await at(member, 'save-endpoint').press('Enter');
    await at(member, 'endpoint-state').filter({ hasText: 'Switched off' }).waitFor();
    await at(member, 'rotate-secret').press('Enter');
    await at(member, 'signing-secret').waitFor();
    await at(member, 'remove-endpoint').press('Enter');
    await look(member, 'portal: before the removal of an endpoint');
    await at(member, 'remove-endpoint-yes').press('Enter');
    await at(member, 'client-id').waitFor();
    await member.getByRole('listitem').filter({ hasText: 'None yet.' }).waitFor();
    expect(await at(member, 'endpoint').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('lets staff find a person, open the data and revoke the phone, shows on the trail that the data was opened, and proves the erasure', async () => {
    const person = await stage.staff.registerPerson();
    await stage.phone({ of: person });
    const { link } = await stage.staff.ask('POST', '/invitations', { label: 'help-desk', roles: ['support', 'security'] });
    const page = await openLink(link);
    await logIn(page, await stage.anyPhone());
    await at(page, 'country').fill('ee');
    await at(page, 'personal-code').fill('no-such-code');
    await at(page, 'personal-code').press('Enter');
    await at(page, 'notice').filter({ hasText: 'There is no such person' }).waitFor();
    await at(page, 'country').fill(person.country);
    await at(page, 'personal-code').fill(person.personal_code);
    await at(page, 'personal-code').press('Enter');
    await at(page, 'identity-id').filter({ hasText: person.identityId }).waitFor();
    expect(await page.content()).not.toContain(person.family_name);

    await at(page, 'open-person').press('Enter');
    await at(page, 'person').filter({ hasText: person.family_name }).waitFor();
    await at(page, 'revoke-device').press('Enter');
    await look(page, 'portal: a person');
    await at(page, 'revoke-device-yes').press('Enter');
    await page.getByText('revoked; was in use since').waitFor();
    await at(page, 'audit').press('Enter');
    const opening = at(page, 'audit-entry').filter({ hasText: 'opening' }).filter({ hasText: person.identityId });
    await opening.first().waitFor();
    expect(await opening.count()).toBe(1);
    await look(page, 'portal: audit trail');

    await at(page, 'erase').press('Enter');
    await at(page, 'erase-yes').press('Enter');
    await at(page, 'erasure')
      .filter({ hasText: `identitydata-${person.identityId}` })
      .waitFor();
    expect(await at(page, 'erasure').textContent()).not.toContain('still answers data');
    expect(await page.content()).not.toContain(person.family_name);
    await look(page, 'portal: proof of an erasure');
    await at(page, 'erased-id').fill(person.identityId);
    await at(page, 'erased-id').press('Enter');
    await at(page, 'erasure-state').waitFor();
    expect(faults).toEqual([]);
  });

  it.each(['en', 'et', 'de', 'ru', 'lv', 'lt'])('speaks the language of the browser: %s', async (locale) => {
    const page = await (await stage.visitor({ locale })).open(`${stage.addresses.service}/portal/#refused=invitation`);
    await at(page, 'notice').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe(locale);
    expect(await layoutFaults(page, `portal in ${locale}`)).toEqual([]);
  });
});
