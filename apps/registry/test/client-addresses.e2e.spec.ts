import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { testPlatform } from '#testkit/platform/test-platform';
import { INTERNAL_LITERALS, INTERNAL_NAMES } from '#testkit/webhook/internal-hosts';

import { type Answer, type AskedApproval, type PersonHeaders, type PersonWithPhone, registryFixture } from './registry.fixture.js';

const URL = 'https://shop.example/openid/back';

let registry: Awaited<ReturnType<typeof registryFixture>>;
let anna: PersonWithPhone;
let annas: PersonHeaders;
let clientId: string;
beforeEach(async () => {
  registry = await registryFixture(await testPlatform({ WEBHOOK_ALLOWED_NETWORKS: ',' }));
  anna = await registry.newPerson();
  annas = await registry.member({ roles: ['security', 'operator'] }, anna);
  clientId = await registry.client();
});
afterEach(() => registry.close());

const refusal = ({ status, body }: Answer) => [status, body['errorCode']];

describe.each([
  { field: 'backchannel_client_notification_endpoint', member: 'backchannelClientNotificationEndpoint', what: 'address of notifications' },
  { field: 'backchannel_logout_uri', member: 'backchannelLogoutUri', what: 'address of log-outs' },
])('$field', ({ field, member, what }) => {
  const change = (address: string, by = annas) => registry.send('PATCH', `/clients/${clientId}`, { [field]: address }, by);
  const asked = async (address: string): Promise<AskedApproval> => {
    const { status, body } = await change(address);
    expect(status).toBe(202);
    return body['approval'] as AskedApproval;
  };
  const stored = async (): Promise<unknown> => (await registry.call('GET', `/clients/${clientId}`)).body[member];

  it('is https under a public name, in every spelling', async () => {
    const hosts = [...INTERNAL_LITERALS, ...INTERNAL_NAMES, 'user@shop.example', 'shop.example:22'];
    for (const url of [...hosts.map((host) => `https://${host}/`), 'http://shop.example/', 'file:///etc/passwd', `${URL}#first`, 'back'])
      expect([url, ...refusal(await change(url))]).toEqual([url, 400, 'invalid_request']);
  });

  it('is changed when a person has approved it on the phone, who reads what goes where', async () => {
    const approval = await asked(URL);
    expect(approval.title).toBe(`Shop: ${what} shop.example/openid/back`);
    const shown = await registry.approve(approval, anna);
    expect(shown.title).toBe(approval.title);
    expect(shown.details).toContain(`Relying party: Shop (${clientId})`);
    expect(shown.details).toContain(`New ${what}: ${URL}`);
    expect(await stored()).toBeUndefined();
    expect((await registry.complete(approval, annas)).status).toBe(200);
    expect(await stored()).toBe(URL);
  });

  it('ends when a person has approved that too', async () => {
    await registry.call('PATCH', `/clients/${clientId}`, { [field]: URL }, annas);
    const approval = await asked('');
    expect(approval.title).toBe(`Shop: no ${what}`);
    expect((await registry.approve(approval, anna)).details).toContain(`The ${what} ends.`);
    expect(await stored()).toBe(URL);
    await registry.complete(approval, annas);
    expect(await stored()).toBe('');
  });

  it('needs no approval where nothing changes', async () => {
    await registry.call('PATCH', `/clients/${clientId}`, { [field]: URL }, annas);
    expect((await change(URL)).status).toBe(200);
  });
});
