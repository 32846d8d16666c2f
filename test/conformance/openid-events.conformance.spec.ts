import { beforeAll, describe, expect, it } from '@jest/globals';

import { Browser, expectOk, newCast, newPkce } from '../support/index.js';
import { OpenIdParty } from './support/openid-party.js';

/* In both profiles: the events of a login, as its timeline shows them, beside those of a native one. */
const { service, staff, phone } = await newCast();
const CIBA = 'urn:openid:params:grant-type:ciba';

let party: OpenIdParty;
let sub: string;
beforeAll(async () => {
  party = await OpenIdParty.register(service, {});
  sub = await party.shop.subjectOf(phone);
});

const eventsOf = async (sessionId: unknown): Promise<readonly string[]> =>
  (expectOk(await staff.timeline(String(sessionId)))['events'] as { type: string }[]).map(({ type }) => type);
const approveOnPhone = async (sessionId: string, via: Readonly<Record<string, unknown>> = {}) => {
  expectOk(await phone.scan(sessionId, via));
  expectOk(await phone.confirm(sessionId));
};
const ofClient = () => ({ authorization: party.shop.authorization });

describe('a login by OpenID Connect has the events of a native one, and no more', () => {
  it('on the hosted page', async () => {
    const { browser, login } = await party.shop.claimed();
    await approveOnPhone(login.sessionId);
    const native = new URL(expectOk(await browser.complete(login.sessionId))['redirect'] as string);
    expectOk(await party.shop.token(native.searchParams.get('code'), login.verifier));

    const { verifier, challenge } = newPkce();
    const pushed = await party.post('par', party.request({ code_challenge: challenge, code_challenge_method: 'S256' }), ofClient());
    const query = { client_id: party.shop.clientId, request_uri: String(pushed.json!['request_uri']) };
    const page = new Browser(service);
    const token = party.locationOf(await party.get('authorize', query)).searchParams.get('t');
    const sessionId = expectOk(await page.claim(token))['sessionId'] as string;
    await approveOnPhone(sessionId);
    const back = new URL(expectOk(await page.complete(sessionId))['redirect'] as string);
    const answer = await party.redeem(back, { code_verifier: verifier });
    const authorization = `Bearer ${String(answer.json!['access_token'])}`;
    expect([answer.status, (await party.get('userinfo', {}, { authorization })).status]).toEqual([200, 200]);

    const events = await eventsOf(sessionId);
    expect(events).toEqual(await eventsOf(login.sessionId));
    expect(events).toEqual(['SessionCreated', 'HandoffClaimed', 'SessionScanned', 'SessionConfirmed', 'SessionCompleted', 'CodeRedeemed']);
  });

  it('without a browser', async () => {
    const login = await party.shop.login({ push: true, subject_id: sub });
    await approveOnPhone(login.sessionId, { via: 'push' });
    expectOk(await party.shop.token(await party.shop.redeemableCode(login), login.verifier));

    const before = await phone.pendingIds();
    const begun = await party.post('bc-authorize', { scope: 'openid', login_hint: sub }, ofClient());
    const grant = { grant_type: CIBA, auth_req_id: String(begun.json!['auth_req_id']) };
    expect((await party.post('token', grant, ofClient())).json).toMatchObject({ error: 'authorization_pending' });
    const [sessionId = ''] = (await phone.pendingIds()).filter((id) => !before.includes(id));
    await approveOnPhone(sessionId, { via: 'push' });
    expect((await party.post('token', grant, ofClient())).status).toBe(200);

    const events = await eventsOf(sessionId);
    expect(events).toEqual(await eventsOf(login.sessionId));
    expect(events).toEqual(['SessionCreated', 'SessionScanned', 'SessionConfirmed', 'SessionCompleted', 'CodeRedeemed']);
  });
});
