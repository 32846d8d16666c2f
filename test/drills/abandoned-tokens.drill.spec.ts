import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { PortalBrowser, Staff, StandaloneService } from '../support/index.js';
import { metric } from './support/metric.js';

/** Seconds until the token ends. */
const DAY = 86_400;
/** Milliseconds: no promise, only a limit for a drill that hangs. */
const WITHIN = 60_000;

describe('an admin token whose maker leaves the staff', () => {
  let service: StandaloneService;
  beforeEach(async () => {
    service = await StandaloneService.start('abandoned-tokens', { SANDBOX: 'false', LOG_LEVEL: 'error' });
  });
  afterEach(() => service.kill());

  it('is counted in admin_tokens_abandoned by the service that starts next', async () => {
    const staff = new Staff(service);
    const join = async () => {
      const { link } = await staff.ask('POST', '/invitations', { label: 'desk', roles: ['security'] });
      const [phone, browser] = [await staff.newPhone(), new PortalBrowser(service.loginOrigin)];
      await browser.logIn(service, phone, String(link));
      return { phone, browser };
    };
    const [maker, other] = [await join(), await join()];
    const token = { name: 'left-behind', role: 'read', expires_at: Math.floor(Date.now() / 1_000) + DAY };
    const made = await maker.browser.approve(maker.phone, await maker.browser.call('POST', '/admin/v1/admin-tokens', { json: token }));
    expect(made.status).toBe(201);
    const { json } = await maker.browser.call('GET', '/portal/v1/session');
    const removed = await other.browser.call('DELETE', `/admin/v1/members/${String(json?.['subjectId'])}`);
    expect((await other.browser.approve(other.phone, removed)).status).toBe(204);
    // The tokens are looked at when a service starts, and then once a minute.
    await service.stop();
    await service.restart();
    await eventually(async () => (await metric({ url: service.baseUrls[0]! }, 'admin_tokens_abandoned')) === 1, { within: WITHIN });
  });
});
