import { randomBytes } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';

import { pictureFaults, REDIRECT_URI, useOffice } from './support/index.js';

const AFTER = 'https://shop.example/cb';
const WITH_ONE_LETTER = 'https://sh0p.example/cb';

/** Calls the service as a script in the page can, with the cookie of the person's session. */
const byScript = (page: Page, method: string, path: string, body?: object): Promise<{ status: number; body: Record<string, unknown> }> =>
  page.evaluate(
    async ([way, address, json]) => {
      const headers = { 'x-service-portal': '1', ...(json !== undefined && { 'content-type': 'application/json' }) };
      const response = await fetch(`/admin/v1${address}`, { method: way, headers, ...(json !== undefined && { body: json }) });
      return { status: response.status, body: (await response.json().catch(() => ({}))) as Record<string, unknown> };
    },
    [method, path, body && JSON.stringify(body)] as const,
  );

describe('a critical change with one changed letter', () => {
  const { at, register, redirectUris, invite, arrive, changeRedirects, confirm } = useOffice();
  const newName = (): string => `Harbour ${randomBytes(4).toString('hex')}`;

  it('between the service and the phone is refused on the phone', async () => {
    const name = newName();
    const clientId = await register(name);
    const anna = await arrive(await invite('early-shift'), name);
    await changeRedirects(anna.page, AFTER);
    // The words that are shown become others than those that the phone is to sign.
    await anna.phone.page.route('**/app/v1/session/*/scan', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll('shop.example', 'sh0p.example') });
    });
    const done = anna.phone.at('done');
    if (await done.isVisible()) await done.click();
    await anna.phone.at('inbox-open').first().click();
    await anna.phone.page.getByText('This phone signed nothing').waitFor();
    expect(await pictureFaults(anna.phone.page, 'phone-approval-refused')).toEqual([]);
    expect(await redirectUris(clientId)).toEqual([REDIRECT_URI]);
  }, 240_000);

  it('in the browser, after the phone has signed, is another change, which no phone has signed', async () => {
    const name = newName();
    const clientId = await register(name);
    const anna = await arrive(await invite('late-shift'), name);
    // The page finds that the phone has signed, and is held back before it completes the change.
    const { promise: attacked, resolve: go } = Promise.withResolvers<void>();
    let held = 0;
    await anna.page.route('**/admin/v1/approvals/*/completion', async (route) => {
      held += 1;
      if (held === 1) await attacked;
      await route.continue();
    });
    await changeRedirects(anna.page, AFTER);
    await anna.phone.openPushed();
    expect(await anna.phone.at('details').textContent()).toContain(`New redirect URI: ${AFTER}`);
    const completion = anna.page.waitForRequest('**/admin/v1/approvals/*/completion');
    await confirm(anna);
    await completion;

    const asked = await byScript(anna.page, 'PATCH', `/clients/${clientId}`, { redirect_uris: [REDIRECT_URI, WITH_ONE_LETTER] });
    const { approvalId } = asked.body['approval'] as { approvalId: string };
    const refused = await byScript(anna.page, 'POST', `/approvals/${approvalId}/completion`);
    expect([asked.status, refused.status, refused.body['errorCode']]).toEqual([202, 409, 'approval_not_signed']);
    expect(await redirectUris(clientId)).toEqual([REDIRECT_URI]);

    go();
    await at(anna.page, 'notice').filter({ hasText: 'Saved.' }).waitFor();
    expect(await redirectUris(clientId)).toEqual([REDIRECT_URI, AFTER]);
  }, 240_000);
});
