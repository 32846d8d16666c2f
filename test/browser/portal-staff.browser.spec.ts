import { describe, expect, it } from '@jest/globals';

import { portalVisit, useStage } from './support/index.js';

const stage = useStage();
const { at, look, logIn, openLink, faults } = portalVisit(stage);

describe('the staff at the portal', () => {
  it('finds a person, opens the data, revokes the phone, sees the opening on the trail, and proves the erasure', async () => {
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
    expect(faults()).toEqual([]);
  });
});
