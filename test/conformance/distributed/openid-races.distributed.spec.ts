import { beforeAll, describe, expect, it } from '@jest/globals';

import {
  type Answer,
  Browser,
  codeIn,
  exchange,
  expectOk,
  newPkce,
  type Phone,
  RelyingParty,
  secret,
  sharedService,
  Staff,
  topology,
  word,
} from '../../support/index.js';
import { Replicas } from './replicas.js';

/* What may be used once is used once, by forty calls at the same moment on two replicas: of the provider, and of the login page, which claims its requests. */
const FORTY = Array.from({ length: 40 }, (_, number) => number);
const CIBA = 'urn:openid:params:grant-type:ciba';
const REQUEST_URI = 'urn:ietf:params:oauth:request_uri:';

type Form = Readonly<Record<string, string>>;

let replicas: Replicas;
let staff: Staff;
let shop: RelyingParty;
let phone: Phone;
beforeAll(async () => {
  const service = await sharedService();
  replicas = Replicas.ofTheRun();
  staff = new Staff(service);
  shop = await RelyingParty.register(service, { require_pushed_authorization_requests: false });
  phone = await staff.newPhone();
});

const urlOf = (number: number): string => topology!.of('openid')[number % 2]!.url;
const post = (number: number, path: string, form: Form): Promise<Answer> =>
  exchange(urlOf(number), {
    method: 'POST',
    path: `/openid/${path}`,
    headers: { authorization: shop.authorization, 'content-type': 'application/x-www-form-urlencoded' },
    raw: new URLSearchParams(form).toString(),
  });
const authorize = (number: number, query: Form): Promise<Answer> =>
  exchange(urlOf(number), { method: 'GET', path: `/openid/authorize?${new URLSearchParams(query).toString()}` });
const handoffIn = ({ headers }: Answer): string => secret('handoff token', new URL(String(headers.location)).searchParams.get('t') ?? '');
/** Each claim by a browser of its own, every second one at the other replica of the login page. */
const claims = (tokens: readonly string[]): Promise<readonly Answer[]> =>
  Promise.all(
    tokens.map((token, number) => {
      replicas.number = number % 2;
      return new Browser(replicas).claim(token);
    }),
  );
const request = (challenge = newPkce().challenge): Form => ({
  response_type: 'code',
  scope: 'openid',
  redirect_uri: shop.redirectUri,
  state: secret('state', `state-${word()}`),
  nonce: word(),
  code_challenge: challenge,
  code_challenge_method: 'S256',
});
const push = async (form = request()): Promise<string> => {
  const requestUri = (await post(0, 'par', form)).json!['request_uri'] as string;
  secret('handoff token', requestUri.slice(REQUEST_URI.length));
  return requestUri;
};
const eventsOf = async (sessionId: unknown): Promise<readonly string[]> =>
  (expectOk(await staff.timeline(String(sessionId)))['events'] as { type: string }[]).map(({ type }) => type);
/** How many answers have which status and error. */
const tally = (answers: readonly Answer[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { status, json } of answers) {
    const name = status < 400 ? String(status) : `${status} ${String(json?.['error'] ?? json?.['errorCode'])}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
};

describe('forty calls at once on two replicas', () => {
  it('redeem a code once', async () => {
    const { verifier, challenge } = newPkce();
    const requestUri = await push(request(challenge));
    const browser = new Browser(replicas);
    const token = handoffIn(await authorize(1, { client_id: shop.clientId, request_uri: requestUri }));
    const sessionId = expectOk(await browser.claim(token))['sessionId'] as string;
    expectOk(await phone.scan(sessionId));
    expectOk(await phone.confirm(sessionId));
    const code = codeIn(expectOk(await browser.complete(sessionId))['redirect'] as string);
    const grant = { grant_type: 'authorization_code', redirect_uri: shop.redirectUri, code, code_verifier: verifier };
    const answers = await Promise.all(FORTY.map((number) => post(number, 'token', grant)));
    expect(tally(answers)).toEqual({ 200: 1, '400 invalid_grant': 39 });
    expect((await eventsOf(sessionId)).filter((type) => type === 'CodeRedeemed')).toHaveLength(1);
    // The token of the one that won opens userinfo at the other replica too.
    const authorization = `Bearer ${String(answers.find(({ status }) => status === 200)!.json!['access_token'])}`;
    for (const number of [0, 1])
      expect((await exchange(urlOf(number), { method: 'GET', path: '/openid/userinfo', headers: { authorization } })).status).toBe(200);
  });

  it('use a request_uri once', async () => {
    const query = { client_id: shop.clientId, request_uri: await push() };
    const tokens = (await Promise.all(FORTY.map((number) => authorize(number, query)))).map(handoffIn);
    const answers = await claims(tokens);
    expect(tally(answers)).toEqual({ 200: 1, '400 invalid_handoff': 39 });
    const sessionId = answers.find(({ status }) => status === 200)!.json!['sessionId'];
    expect(await eventsOf(sessionId)).toEqual(['SessionCreated', 'HandoffClaimed']);
    // A later browser is refused: the first one alone has the cookie.
    const later = await claims([handoffIn(await authorize(0, query)), handoffIn(await authorize(1, query))]);
    expect(tally(later)).toEqual({ '400 invalid_handoff': 2 });
  });

  it('begin one session from a plain request', async () => {
    const token = handoffIn(await authorize(0, { client_id: shop.clientId, ...request() }));
    const answers = await claims(FORTY.map(() => token));
    expect(tally(answers)).toEqual({ 200: 1, '400 invalid_handoff': 39 });
    const sessionId = answers.find(({ status }) => status === 200)!.json!['sessionId'];
    expect(await eventsOf(sessionId)).toEqual(['SessionCreated', 'HandoffClaimed']);
  });

  it('redeem the id of a request without a browser once', async () => {
    const before = await phone.pendingIds();
    const begun = await post(0, 'bc-authorize', { scope: 'openid', login_hint: await shop.subjectOf(phone) });
    const [sessionId] = (await phone.pendingIds()).filter((id) => !before.includes(id));
    expectOk(await phone.scan(sessionId!, { via: 'push' }));
    expectOk(await phone.confirm(sessionId!));
    const grant = { grant_type: CIBA, auth_req_id: begun.json!['auth_req_id'] as string };
    const answers = await Promise.all(FORTY.map((number) => post(number, 'token', grant)));
    expect(tally(answers)).toEqual({ 200: 1, '400 invalid_grant': 39 });
    expect((await eventsOf(sessionId)).slice(-2)).toEqual(['SessionCompleted', 'CodeRedeemed']);
  });
});
