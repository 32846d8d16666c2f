import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';

import { eventually } from '#testkit/kernel/eventually';
import { ProvingReceiver } from '#testkit/webhook/proving-receiver';
import { loginPageUrl, type PendingHostedLogin, RelyingPartyClient } from '#clients/relying-party';

import { DocumentedAnswers } from '../support/documented-answers.js';
import { layoutFaults, portalVisit, shopOrigin, useStage, type WebPhone } from './support/index.js';

const stage = useStage();
const { at, textAt, look, logIn, approve, openLink, faults } = portalVisit(stage);

/** The relying party's server, with the values that the page of its member shows. */
const serverOf = async (member: Page): Promise<RelyingPartyClient> => {
  const [clientId, clientSecret, quickStart] = [
    await textAt(member, 'client-id'),
    await textAt(member, 'client-secret'),
    await textAt(member, 'quick-start'),
  ];
  const [, baseUrl = ''] = /baseUrl: '([^']+)'/.exec(quickStart) ?? [];
  expect(quickStart).toContain(clientId);
  return new RelyingPartyClient({ baseUrl, clientId, clientSecret });
};

/** Finishes a login at the relying party: over the hosted page and the phone, to the redirect URI in another browser. */
const finish = async (shop: RelyingPartyClient, login: PendingHostedLogin, redirectUri: string, phone: WebPhone): Promise<string> => {
  const visitor = await stage.visitor();
  visitor.allow(redirectUri);
  const page = await visitor.open(loginPageUrl(stage.addresses.login, login.handoffToken));
  await page.locator('html[data-state="WAITING"]').waitFor();
  await phone.at('done').click();
  await phone.paste((await at(page, 'open-app').getAttribute('href')) ?? '');
  await phone.confirm();
  await page.waitForURL(`${redirectUri}?**`);
  const { subjectId } = await shop.finishLogin(login, Object.fromEntries(new URL(page.url()).searchParams));
  return subjectId;
};

/** A receiver of webhooks that takes every message, once it has proved itself. */
const receiver = async (): Promise<{ url: string; bodies: string[]; proof: ProvingReceiver; [Symbol.asyncDispose]: () => Promise<void> }> => {
  const bodies: string[] = [];
  const proof = new ProvingReceiver();
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (proof.answer(request, body, response)) return;
      bodies.push(body);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, bodies, proof, [Symbol.asyncDispose]: close };
};

/** A new member of a new relying party, at its page in the portal. */
const memberAtClient = async (): Promise<{ readonly page: Page; readonly phone: WebPhone }> => {
  const client = await stage.staff.ask('POST', '/clients', {
    name: `Shop ${randomBytes(4).toString('hex')}`,
    redirect_uris: ['https://shop.example/back'],
    allowed_attributes: [],
    allowed_predicates: [],
  });
  const { link } = await stage.staff.ask('POST', `/clients/${String(client['clientId'])}/invitations`, { label: 'shop-owner' });
  const page = await openLink(link);
  const phone = await stage.phone();
  await logIn(page, phone);
  await at(page, 'client').first().press('Enter');
  await at(page, 'client-id').waitFor();
  return { page, phone };
};

describe('the portal', () => {
  it('leads a relying party from its invitation to its first login, by keyboard and on every screen', async () => {
    const invited = await stage.staff.ask('POST', '/invitations', { label: 'night-shift', roles: ['operator', 'security'] });
    const staff = await openLink(invited['link']);
    await at(staff, 'log-in').waitFor();
    expect(new URL(staff.url()).hash).toBe('');
    await look(staff, 'portal: invitation');
    const staffPhone = await stage.phone();
    await logIn(staff, staffPhone);
    await at(staff, 'keys').getByText('Encryption of stored data').waitFor();
    await look(staff, 'portal: staff');

    await at(staff, 'new-name').fill('Countersign support');
    await at(staff, 'new-redirect-uri').fill('https://shop.example/first');
    await at(staff, 'new-redirect-uri').press('Enter');
    await at(staff, 'close-names')
      .filter({ hasText: /Countersign portal.*added words \(88 %\)/ })
      .waitFor();
    expect(await textAt(staff, 'register')).toBe('Register all the same');
    await look(staff, 'portal: names that are close');

    const name = `Shop ${randomBytes(4).toString('hex')}`;
    await at(staff, 'new-name').fill(name);
    await at(staff, 'new-redirect-uri').fill('https://shop.example/first');
    expect(await at(staff, 'new-dynamic-qr').isChecked()).toBe(true);
    expect(await at(staff, 'new-shows-hosted').isChecked()).toBe(true);
    expect(await at(staff, 'new-frames').isVisible()).toBe(false);
    await at(staff, 'new-shows-own').check();
    expect(await textAt(staff, 'new-frames')).toMatch(/refused.*qrSecret.*createHmac\('sha256'/s);
    await look(staff, 'portal: a page of its own');
    await at(staff, 'new-redirect-uri').press('Enter');
    await at(staff, 'client-id').waitFor();
    await expect((await serverOf(staff)).status(randomUUID())).rejects.toThrow('session_not_found');
    await at(staff, 'invite-label').fill('shop-owner');
    await at(staff, 'invite-label').press('Enter');
    await look(staff, 'portal: a change that waits for the phone');
    await approve(staff, staffPhone, `${name}: invite shop-owner as owner`);
    await at(staff, 'invitation-link').waitFor();
    await look(staff, 'portal: relying party');

    const redirectUri = `${await shopOrigin()}/back`;
    const member = await openLink(await textAt(staff, 'invitation-link'));
    const phone = await stage.phone();
    await logIn(member, phone);
    await member.getByRole('button', { name }).press('Enter');
    await at(member, 'redirect-uris').fill(redirectUri);
    await at(member, 'allowed-attributes').fill('name');
    // A busy machine may need longer for the login below than a frame of a changing code lives.
    expect(await at(member, 'dynamic-qr').isChecked()).toBe(true);
    await at(member, 'dynamic-qr').uncheck();
    await at(member, 'save').press('Enter');
    expect(await approve(member, phone, `${name}: new redirect URI`)).toContain(`New redirect URI: ${redirectUri}`);
    await at(member, 'notice').filter({ hasText: 'Saved.' }).waitFor();
    await at(member, 'waiting-change').filter({ hasText: 'Now: https://shop.example/first' }).waitFor();
    await look(member, 'portal: a change that waits');

    await at(staff, 'back').press('Enter');
    await staff.locator('.row', { hasText: name }).getByTestId('waiting').press('Enter');
    await at(staff, 'waiting-change')
      .filter({ hasText: `Then: ${redirectUri}` })
      .waitFor();
    expect(await textAt(staff, 'waiting-change')).toMatch(/QR code that changes each second.*Now: ✓.*Then: –/s);
    await look(staff, 'portal: consent');
    await at(staff, 'accept-change').press('Enter');
    await approve(staff, staffPhone, 'accept the change that waits');
    await at(staff, 'decided').filter({ hasText: 'accepted' }).waitFor();
    expect(await at(staff, 'allowed-attributes').inputValue()).toBe('name');

    await at(member, 'new-secret').press('Enter');
    await look(member, 'portal: before a new secret');
    await at(member, 'new-secret-yes').press('Enter');
    await approve(member, phone, `${name}: new client secret`);
    await at(member, 'client-secret').waitFor();
    await look(member, 'portal: new secret');

    const image = PNG.sync.write(new PNG({ width: 64, height: 32 }));
    await at(member, 'logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: image });
    await at(member, 'logo-shown').getByText('People see this logo').waitFor();

    const shop = await serverOf(member);
    const login = await shop.beginLogin({ redirectUri, hostedPage: true });
    await at(member, 'session-id').fill(login.sessionId);
    await at(member, 'session-id').press('Enter');
    await at(member, 'session-end').filter({ hasText: 'no phone has opened it' }).waitFor();
    expect(await finish(shop, login, redirectUri, phone)).toMatch(/^\S{16,}$/);
    await at(member, 'session-id').press('Enter');
    await at(member, 'session-end').filter({ hasText: 'the person is logged in at the service' }).waitFor();
    await look(member, 'portal: a session');
    await at(member, 'session-id').fill(shop.clientId);
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
    await approve(staff, staffPhone, `${name}: delete the relying party`);
    await at(staff, 'notice').filter({ hasText: 'The relying party was deleted.' }).waitFor();

    await at(member, 'log-out').click();
    await at(member, 'log-in').waitFor();
    await member.reload();
    await at(member, 'log-in').waitFor();
    expect(faults()).toEqual([]);
  }, 240_000);

  it('shows a member what became of each webhook, and sends it again, by keyboard', async () => {
    await using hooks = await receiver();
    const { page: member, phone } = await memberAtClient();
    await at(member, 'endpoint-url').fill(hooks.url);
    await at(member, 'endpoint-url').press('Enter');
    await at(member, 'signing-secret').waitFor();
    const secret = (await textAt(member, 'signing-secret')) ?? '';
    expect(secret).toMatch(/^whsec_/);
    await look(member, 'portal: new endpoint');
    await at(member, 'endpoint').press('Enter');

    await at(member, 'endpoint-state').filter({ hasText: 'Nothing is sent yet.' }).waitFor();
    hooks.proof.prove(secret);
    await at(member, 'prove').press('Enter');
    const proved = member.locator('[data-testid="delivery"][data-state="succeeded"]');
    await eventually(async () => (await at(member, 'refresh').press('Enter'), (await proved.count()) === 1), { what: 'the proof', within: 60_000 });
    hooks.proof.prove(undefined);

    await at(member, 'ping').press('Enter');
    const delivery = member.locator('[data-testid="delivery"][data-state="succeeded"]');
    const refreshed = async (): Promise<boolean> => {
      await at(member, 'refresh').press('Enter');
      return (await delivery.count()) === 2;
    };
    await eventually(refreshed, { what: 'the ping has arrived', within: 60_000 });
    await delivery.first().locator('summary').press('Enter');
    expect(await delivery.first().getByTestId('payload').textContent()).toBe(hooks.bodies[0]);
    await look(member, 'portal: deliveries');

    await delivery.first().getByTestId('retry').press('Enter');
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
    await approve(member, phone, 'new webhook secret');
    await at(member, 'signing-secret').waitFor();
    await at(member, 'remove-endpoint').press('Enter');
    await look(member, 'portal: before the removal of an endpoint');
    await at(member, 'remove-endpoint-yes').press('Enter');
    await approve(member, phone, 'the webhook address ends');
    await at(member, 'client-id').waitFor();
    await member.getByRole('listitem').filter({ hasText: 'None yet.' }).waitFor();
    expect(await at(member, 'endpoint').count()).toBe(0);
    expect(faults()).toEqual([]);
  });

  it('lists the accounts whose subject IDs change, page by page', async () => {
    const { page: member } = await memberAtClient();
    expect(await at(member, 'migrations').count()).toBe(0);
    // A rotation of the service's key would change the accounts of every other test, so the answers are those of a service that rotates it.
    const subjects = Array.from({ length: 3 }, () => ({ formerSubjectId: randomUUID(), subjectId: randomUUID() }));
    const times = { changesAt: 1_795_000_000, endsAt: 1_797_592_000 };
    const pages = [
      { ...times, subjects: subjects.slice(0, 2), next: subjects[1]!.subjectId },
      { ...times, subjects: subjects.slice(2) },
    ];
    const request = { method: 'GET', path: `/admin/v1/clients/${randomUUID()}/subject-migrations` };
    for (const json of pages) expect(DocumentedAnswers.ofReference().faults(request, { status: 200, text: 'JSON', json })).toEqual([]);
    await member.route('**/subject-migrations*', (route) => {
      const after = new URL(route.request().url()).searchParams.get('after');
      return route.fulfill({ json: after === null ? pages[0] : after === subjects[1]!.subjectId ? pages[1] : { ...times, subjects: [] } });
    });
    await at(member, 'back').press('Enter');
    await at(member, 'client').first().press('Enter');
    await at(member, 'more-migrations').press('Enter');
    await at(member, 'more-migrations').waitFor({ state: 'detached' });
    const lines = ['formerSubjectId,subjectId', ...subjects.map(({ formerSubjectId, subjectId }) => `${formerSubjectId},${subjectId}`)];
    expect(await textAt(member, 'migrations')).toBe(`${lines.join('\n')}\n`);
    await member.getByText('Logins answer the new ones from').waitFor();
    await look(member, 'portal: subject IDs that change');
    expect(faults()).toEqual([]);
  });

  it.each(['en', 'et', 'de', 'ru', 'lv', 'lt'])('speaks the language of the browser: %s', async (locale) => {
    const page = await (await stage.visitor({ locale })).open(`${stage.addresses.service}/portal/#refused=invitation`);
    await at(page, 'notice').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe(locale);
    expect(await layoutFaults(page, `portal in ${locale}`)).toEqual([]);
  });
});
