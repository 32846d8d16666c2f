import { EventStoreDBClient, START } from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { Browser, expectOk, newPkce, type Phone, sharedService, Staff, topology } from '../../support/index.js';
import { OpenIdParty } from '../support/openid-party.js';

/* At the store itself, behind all services: what a login by OpenID Connect leaves there, beside a native one of the same person at the same client. */
let store: EventStoreDBClient;
let party: OpenIdParty;
let phone: Phone;
let identityId: string;
beforeAll(async () => {
  const service = await sharedService();
  const staff = new Staff(service);
  store = EventStoreDBClient.connectionString(topology!.settings['ESDB_URL']!);
  party = await OpenIdParty.register(service, {});
  const person = await staff.registerPerson();
  ({ identityId } = person);
  phone = await staff.phoneOf(person);
  // The first login links the subject.
  await party.shop.subjectOf(phone);
});
afterAll(() => store.dispose());

/** The events that name one of the ids, in their stream or in what is readable of them: of each stream, by its category. */
const storedFor = async (...ids: readonly string[]): Promise<readonly string[]> => {
  const found: string[] = [];
  for await (const { event } of store.readAll({ fromPosition: START })) {
    if (!event || event.type.startsWith('$')) continue;
    const text = `${event.streamId} ${JSON.stringify(event.data)}`;
    if (ids.some((id) => text.includes(id))) found.push(`${event.streamId.split('-', 1)[0]} ${event.type}`);
  }
  return found;
};
/** What the login has stored: of its session, and beyond it in the streams of the person, the phone and the client. */
const storedBy = async (login: () => Promise<string>) => {
  const others = [identityId, phone.deviceId, party.shop.clientId];
  const before = await storedFor(...others);
  const sessionId = await login();
  const after = await storedFor(...others);
  return { ofSession: await storedFor(sessionId), more: after.length - before.length };
};

describe('a login by OpenID Connect', () => {
  it('leaves no stream and no event more in the store than a native one', async () => {
    const native = await storedBy(async () => {
      const { browser, login } = await party.shop.claimed();
      expectOk(await phone.scan(login.sessionId));
      expectOk(await phone.confirm(login.sessionId));
      const back = new URL(expectOk(await browser.complete(login.sessionId))['redirect'] as string);
      expectOk(await party.shop.token(back.searchParams.get('code'), login.verifier));
      return login.sessionId;
    });
    const openid = await storedBy(async () => {
      const { verifier, challenge } = newPkce();
      const form = party.request({ code_challenge: challenge, code_challenge_method: 'S256' });
      const pushed = await party.post('par', form, { authorization: party.shop.authorization });
      const query = { client_id: party.shop.clientId, request_uri: String(pushed.json!['request_uri']) };
      const page = new Browser(party.service);
      const token = party.locationOf(await party.get('authorize', query)).searchParams.get('t');
      const sessionId = expectOk(await page.claim(token))['sessionId'] as string;
      expectOk(await phone.scan(sessionId));
      expectOk(await phone.confirm(sessionId));
      const back = new URL(expectOk(await page.complete(sessionId))['redirect'] as string);
      const answer = await party.redeem(back, { code_verifier: verifier });
      const authorization = `Bearer ${String(answer.json!['access_token'])}`;
      expect((await party.get('userinfo', {}, { authorization })).status).toBe(200);
      return sessionId;
    });
    expect(native.ofSession).toContain('session CodeRedeemed');
    expect(openid).toEqual(native);
  });
});
