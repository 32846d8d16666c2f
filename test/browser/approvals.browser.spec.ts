import { describe, expect, it } from '@jest/globals';

import type { Page } from 'playwright-core';

import { pictureFaults, useOffice } from './support/index.js';

const ID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** What differs from run to run in the window of the portal. */
const CHANGING = ['time', ...['approval-code', 'client-id', 'quick-start', 'secret-part', 'sessions'].map((id) => `[data-testid="${id}"]`)];

/** The ids differ from run to run. */
const hideIds = (page: Page): Promise<void> =>
  page.getByTestId('details').evaluate((shown, id) => {
    shown.textContent = (shown.textContent ?? '').replace(new RegExp(id, 'g'), '00000000-0000-4000-8000-000000000000');
  }, ID);

describe('a critical change at the portal, with four eyes', () => {
  // A process of its own, in which no other file has a relying party of this name.
  const name = 'Harbour Bank';
  const { at, look, faults, register, invite, arrive, askForSecret, confirm } = useOffice({
    ownService: 'approvals',
    settings: async () => ({ FOUR_EYES: 'true' }),
  });

  it('is shown in words on the phones of two persons, and takes effect when both have signed', async () => {
    const clientId = await register(name);
    // Both links first: ADMIN_TOKEN invites until two persons hold `security`.
    const [first, second] = [await invite('day-shift'), await invite('night-shift')];
    const [anna, bert] = [await arrive(first, name), await arrive(second, name)];
    await askForSecret(anna.page);
    await at(anna.page, 'approval-title')
      .filter({ hasText: `${name}: new client secret` })
      .waitFor();
    await look(anna.page, 'portal: a change that waits for the own phone');
    const pictures = await pictureFaults(anna.page, 'portal-approval', CHANGING, { fullPage: false });

    expect(await anna.phone.pushedWords()).toBe('Countersign portal asks you to approve a change');
    await anna.phone.openPushed();
    // The phone of a colleague is not asked.
    expect(await bert.phone.at('inbox-open').count()).toBe(0);
    expect(await anna.phone.at('request-title').textContent()).toBe(`${name}: new client secret`);
    expect(await anna.phone.at('details').textContent()).toContain(
      [`${name}: new client secret`, `Relying party: ${name} (${clientId})`, `Request: POST /admin/v1/clients/${clientId}/secret`].join('\n'),
    );
    await hideIds(anna.phone.page);
    pictures.push(...(await pictureFaults(anna.phone.page, 'phone-approval')));
    await confirm(anna);
    await at(anna.page, 'notice').filter({ hasText: 'A second person has to do the same' }).waitFor();
    pictures.push(...(await pictureFaults(anna.page, 'portal-approval-second-person', CHANGING, { fullPage: false })));
    expect(await at(anna.page, 'client-secret').count()).toBe(0);

    await askForSecret(bert.page);
    await bert.phone.openPushed();
    expect(await bert.phone.at('request-title').textContent()).toBe(`${name}: new client secret`);
    await hideIds(bert.phone.page);
    pictures.push(...(await pictureFaults(bert.phone.page, 'phone-approval')));
    await confirm(bert);
    await at(bert.page, 'client-secret').waitFor();
    expect([...pictures, ...faults()]).toEqual([]);
  }, 300_000);
});
