import { generateKeyPairSync, randomBytes } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';

import { pictureFaults, useOffice } from './support/index.js';

const KEYS_AT = 'https://keys.harbour.example/jwks.json';
const PINGS_AT = 'https://harbour.example/openid/ping';
const LOG_OUTS_AT = 'https://harbour.example/openid/log-out';

const { at, textAt, look, faults, register, invite, arrive, approve } = useOffice();

/** The part of OpenID Connect alone, with a name and an issuer that are always the same. */
const alone = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const part = document.querySelector('[data-testid="issuer"]')!.closest('.part')!;
    for (const other of document.querySelectorAll('.part')) if (other !== part) other.remove();
    document.querySelector('[data-testid="issuer"]')!.textContent = 'https://id.example/openid';
    document.querySelector('h1')!.textContent = 'Harbour';
  });

describe('OpenID Connect at the portal', () => {
  it('is set up by keyboard, and each change of keys, addresses and protections is read on the phone', async () => {
    const name = `Harbour ${randomBytes(4).toString('hex')}`;
    const clientId = await register(name);
    const { page, phone } = await arrive(await invite('openid-desk'), name);
    /** The page is drawn again after a change; the words of the one before may still be there. */
    const save = async (): Promise<void> => {
      await at(page, 'save-openid').evaluate((button) => button.setAttribute('data-before', ''));
      await at(page, 'save-openid').press('Enter');
    };
    const saved = async (): Promise<void> => {
      await page.locator('[data-before]').waitFor({ state: 'detached' });
      await at(page, 'notice').filter({ hasText: 'Saved.' }).waitFor();
    };

    const issuer = await textAt(page, 'issuer');
    const frameworks = at(page, 'framework');
    expect(await frameworks.locator('summary').allTextContents()).toEqual([
      'Auth.js',
      'Passport',
      'oauth2-proxy',
      'Authlib',
      'Spring Security',
      'Keycloak',
    ]);
    for (const settings of await frameworks.locator('pre').allTextContents())
      for (const value of [issuer, clientId]) expect(settings).toContain(value);
    await frameworks.first().locator('summary').press('Enter');
    await frameworks.first().locator('pre').waitFor({ state: 'visible' });
    await look(page, 'portal: OpenID Connect');
    await frameworks.first().locator('summary').press('Enter');

    await at(page, 'jwks').fill('{"keys": [');
    await save();
    await at(page, 'notice').filter({ hasText: 'The keys are no JSON.' }).waitFor();
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    await at(page, 'jwks').fill(JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'first' }] }));
    await save();
    expect(await approve(page, phone, `${name}: other keys`)).toContain('New key of the relying party: first (');
    await saved();
    expect(await at(page, 'jwks').inputValue()).toContain('"kid": "first"');

    await at(page, 'jwks').fill('');
    await at(page, 'jwks-uri').fill(KEYS_AT);
    await save();
    const moved = await approve(page, phone, `${name}: other keys`);
    expect(moved).toContain('Key that ends: first (');
    expect(moved).toContain(`The relying party proves itself by the keys at: ${KEYS_AT}`);
    await saved();

    await at(page, 'notification-address').fill(PINGS_AT);
    await at(page, 'logout-address').fill(LOG_OUTS_AT);
    await save();
    const posted = await approve(page, phone, `${name}: address of notifications harbour.example/openid/ping, address of log-outs`);
    expect(posted).toContain(`New address of notifications: ${PINGS_AT}`);
    expect(posted).toContain(`New address of log-outs: ${LOG_OUTS_AT}`);
    await saved();

    await at(page, 'require-par').uncheck();
    await at(page, 'require-pkce').uncheck();
    await save();
    const off = await approve(page, phone, `${name}: require_pushed_authorization_requests off, require_pkce off`);
    expect(off).toContain('Protection that ends: require_pkce');
    await saved();
    // Switched on again, they need no approval.
    await at(page, 'require-par').check();
    await at(page, 'require-pkce').check();
    await save();
    await saved();

    await at(page, 'dpop-bound').check();
    await at(page, 'id-token-alg').selectOption('ES256');
    await at(page, 'signed-requests').check();
    await save();
    await saved();
    await at(page, 'signed-requests').uncheck();
    await save();
    expect(await approve(page, phone, `${name}: require_signed_request_object off`)).toContain('Protection that ends: require_signed_request_object');
    await saved();

    await at(page, 'keys-alone').check();
    await save();
    await saved();
    await at(page, 'keys-alone').uncheck();
    await save();
    expect(await approve(page, phone, `${name}: token_endpoint_auth_method off`)).toContain('Protection that ends: token_endpoint_auth_method');
    await saved();

    await at(page, 'logout-address').fill('https://harbour.example/#part');
    await save();
    await at(page, 'notice').filter({ hasText: 'That was refused' }).waitFor();
    await at(page, 'logout-address').fill('');
    await save();
    expect(await approve(page, phone, `${name}: no address of log-outs`)).toContain('The address of log-outs ends.');
    await saved();
    expect([await at(page, 'notification-address').inputValue(), await at(page, 'logout-address').inputValue()]).toEqual([PINGS_AT, '']);
    expect([await at(page, 'jwks').inputValue(), await at(page, 'jwks-uri').inputValue()]).toEqual(['', KEYS_AT]);

    await alone(page);
    expect([...(await pictureFaults(page, 'portal-openid')), ...faults()]).toEqual([]);
  }, 300_000);
});
