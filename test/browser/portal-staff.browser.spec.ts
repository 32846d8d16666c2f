import { randomBytes } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { portalVisit, useStage, WebPhone } from './support/index.js';

const stage = useStage();
const { at, textAt, look, logIn, approve, openLink, faults } = portalVisit(stage);

describe('the staff at the portal', () => {
  it('finds a person, opens the data, revokes the phone, sees the opening on the trail, and proves the erasure', async () => {
    const person = await stage.staff.registerPerson();
    await stage.phone({ of: person });
    const { link } = await stage.staff.ask('POST', '/invitations', { label: 'help-desk', roles: ['support', 'security'] });
    const page = await openLink(link);
    const phone = await stage.phone();
    await logIn(page, phone);
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
    await approve(page, phone, 'Erase a person');
    await at(page, 'erasure')
      .filter({ hasText: `identitydata-${person.identityId}` })
      .waitFor();
    expect(await at(page, 'erasure').textContent()).not.toContain('still answers data');
    expect(await page.content()).not.toContain(person.family_name);
    await look(page, 'portal: proof of an erasure');
    await at(page, 'erased-id').fill(person.identityId);
    await at(page, 'erased-id').press('Enter');
    await at(page, 'erasure-state').waitFor();
    expect(faults()).toEqual([]);
  }, 240_000);

  it('registers a person, who sets up a phone by the link, by keyboard', async () => {
    const { link } = await stage.staff.ask('POST', '/invitations', { label: 'front-desk', roles: ['support'] });
    const page = await openLink(link);
    await logIn(page, await stage.anyPhone());
    const data = stage.staff.personalData() as Record<string, string>;
    const fill = async (): Promise<void> => {
      await at(page, 'new-given-name').fill(data['given_name']!);
      await at(page, 'new-family-name').fill(data['family_name']!);
      await at(page, 'new-country').fill('ee');
      await at(page, 'new-personal-code').fill(data['personal_code']!);
      await at(page, 'new-date-of-birth').fill('1990-05-17');
      await at(page, 'new-email').fill('');
      await at(page, 'new-phone-number').fill(data['phone_number']!);
    };
    await fill();
    await look(page, 'portal: registration of a person');
    await at(page, 'new-phone-number').press('Enter');
    await at(page, 'notice').filter({ hasText: 'The person is registered.' }).waitFor();
    expect(await at(page, 'new-family-name').inputValue()).toBe('');
    expect(await page.content()).not.toContain(data['family_name']);

    const registered = page.locator('.part', { has: at(page, 'registered-id') });
    await registered.getByTestId('activation-code').press('Enter');
    await registered.getByTestId('activation-link').waitFor();
    await look(page, 'portal: a registered person');
    const identityId = await textAt(page, 'registered-id');
    const phone = new WebPhone(await openLink(await textAt(page, 'activation-link')));
    await phone.setUp();
    const { devices } = await stage.staff.ask('GET', `/identities/${identityId}/devices`);
    expect(devices).toMatchObject([{ status: 'ACTIVE' }]);

    await fill();
    await at(page, 'register-person').press('Enter');
    await at(page, 'notice').filter({ hasText: 'is registered already' }).waitFor();
    await at(page, 'personal-code').fill(data['personal_code']!);
    await at(page, 'country').fill('EE');
    await at(page, 'find-person').press('Enter');
    await at(page, 'identity-id').filter({ hasText: identityId }).waitFor();
    expect(faults()).toEqual([]);
  });

  it('gives a program an admin token, shows it once, and takes it back, by keyboard', async () => {
    const { link } = await stage.staff.ask('POST', '/invitations', { label: 'security-desk', roles: ['security'] });
    const page = await openLink(link);
    const phone = await stage.phone();
    await logIn(page, phone);
    const name = `robot-${randomBytes(4).toString('hex')}`;
    await at(page, 'token-role').selectOption('support');
    await at(page, 'token-days').selectOption({ label: '30 days' });
    await at(page, 'token-name').fill(name);
    await at(page, 'token-name').press('Enter');
    expect(await approve(page, phone, `New admin token ${name}`)).toContain('Route: GET /admin/v1/clients');
    await at(page, 'admin-token').waitFor();
    await look(page, 'portal: admin tokens');
    const authorization = `Bearer ${await textAt(page, 'admin-token')}`;
    const call = async (path: string): Promise<number> => (await stage.service.send({ method: 'GET', path, headers: { authorization } })).status;
    expect([await call('/admin/v1/clients'), await call('/admin/v1/audit')]).toEqual([200, 403]);

    await at(page, 'token-name').fill(name);
    await at(page, 'token-name').press('Enter');
    await at(page, 'notice').filter({ hasText: 'Another valid token has this name.' }).waitFor();

    await page.reload();
    const row = at(page, 'token').filter({ hasText: name });
    await row.filter({ hasText: 'support' }).filter({ hasText: 'valid until' }).waitFor();
    expect(await page.content()).not.toContain(authorization.slice('Bearer '.length));
    await row.getByTestId('revoke-token').press('Enter');
    await row.getByTestId('revoke-token-yes').press('Enter');
    await approve(page, phone, `Revoke the admin token ${name}`);
    await row.filter({ hasText: 'revoked' }).waitFor();
    expect(await call('/admin/v1/clients')).toBe(401);
    expect(faults()).toEqual([]);
  });

  it('sees what works behind the logins, and what does not', async () => {
    const name = `Shop ${randomBytes(4).toString('hex')}`;
    const client = await stage.staff.ask('POST', '/clients', { name, redirect_uris: ['https://shop.example/back'] });
    // No program listens there.
    const url = 'http://127.0.0.1:9/hook';
    const path = `/clients/${String(client['clientId'])}/webhook-endpoints`;
    const { endpointId } = await stage.staff.ask('POST', path, { url });
    await stage.staff.ask('POST', `${path}/${String(endpointId)}/ping`);
    const { link } = await stage.staff.ask('POST', '/invitations', { label: 'watch', roles: ['read'] });
    const page = await openLink(link);
    await logIn(page, await stage.anyPhone());

    const failing = at(page, 'failing-endpoint').filter({ hasText: name });
    const shown = async (): Promise<boolean> => {
      await at(page, 'health').press('Enter');
      await at(page, 'trust-service').first().waitFor();
      return (await failing.count()) === 1;
    };
    await eventually(shown, { what: 'the endpoint fails', within: 60_000 });
    expect(await failing.textContent()).toContain('no message has arrived since');
    await at(page, 'trust-service').filter({ hasText: 'Certificates of phones' }).filter({ hasText: 'last success:' }).waitFor();
    await at(page, 'read-model').filter({ hasText: 'clients' }).waitFor();
    await look(page, 'portal: health');
    await failing.getByTestId('open-failing').press('Enter');
    await at(page, 'client-id')
      .filter({ hasText: String(client['clientId']) })
      .waitFor();
    expect(faults()).toEqual([]);
  });
});
