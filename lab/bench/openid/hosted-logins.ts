import { createHash, randomBytes } from 'node:crypto';

import { type Phone, qrPayload } from '#clients/software-phone';

import { leanFetch } from '../lean-fetch.js';
import type { RelyingParty } from '../relying-party.js';
import { PIN } from '../staff.js';

const REQUEST_URI = 'urn:ietf:params:oauth:request_uri:';

export interface LoginPlace {
  /** Of the service. */
  readonly url: string;
  /** Of the login page. */
  readonly loginOrigin: string;
}

type Form = Readonly<Record<string, string>>;

/** A whole login on the hosted page by the native interface. */
export const logInNatively = async (place: LoginPlace, shop: RelyingParty, phone: Phone): Promise<void> => {
  const { verifier, challenge } = newPkce();
  const code = await onHostedPage(place, await shop.handoffToken(challenge), phone);
  await shop.exchange(code, verifier);
};

/** The same by OpenID Connect, with a pushed request. */
export const logInByOpenId = async (place: LoginPlace, shop: RelyingParty, phone: Phone): Promise<void> => {
  const { requestUri, verifier } = await pushRequest(place, shop);
  await authorize(place, shop, requestUri);
  const code = await onHostedPage(place, requestUri.slice(REQUEST_URI.length), phone);
  await form(place, shop, 'token', { grant_type: 'authorization_code', redirect_uri: shop.redirectUri, code, code_verifier: verifier });
};

export interface PushedLogin {
  readonly requestUri: string;
  readonly verifier: string;
}

/** The first request of {@link logInByOpenId}. */
export const pushRequest = async (place: LoginPlace, shop: RelyingParty): Promise<PushedLogin> => {
  const { verifier, challenge } = newPkce();
  const terms = { redirect_uri: shop.redirectUri, code_challenge: challenge, code_challenge_method: 'S256', nonce: verifier.slice(0, 20) };
  const pushed = await form<{ request_uri: string }>(place, shop, 'par', { ...terms, response_type: 'code', scope: 'openid', state: 'bench' });
  return { requestUri: pushed.request_uri, verifier };
};

/** The second one, which a native login does not have. It stores nothing, so it may be repeated. */
export const authorize = async ({ url }: LoginPlace, { clientId }: RelyingParty, requestUri: string): Promise<void> => {
  const query = new URLSearchParams({ client_id: clientId, request_uri: requestUri });
  const { status } = await leanFetch(`${url}/openid/authorize?${query.toString()}`, { headers: { 'x-forwarded-for': anyAddress() } });
  if (status !== 303) throw new Error(`authorize: ${status}`);
};

/** A request for which the service does nothing. */
export const emptyRequest = async ({ url }: LoginPlace): Promise<void> => {
  const { status } = await leanFetch(`${url}/livez`, { headers: { 'x-forwarded-for': anyAddress() } });
  if (status !== 200) throw new Error(`livez: ${status}`);
};

/** Each person has an address of its own: calls of one address are limited. */
const anyAddress = (): string => `198.18.${randomBytes(2).join('.')}`;

const newPkce = (): { readonly verifier: string; readonly challenge: string } => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};

/** From the login page to the code. */
const onHostedPage = async ({ url, loginOrigin }: LoginPlace, handoffToken: string, phone: Phone): Promise<string> => {
  const headers = { 'x-service-login': '1', origin: loginOrigin, 'content-type': 'application/json' };
  const call = async (path: string, body: object, cookie = ''): Promise<Response> => {
    const sent = { ...headers, ...(cookie !== '' && { cookie }) };
    const answer = await leanFetch(`${url}/login-ui/v1/session${path}`, { method: 'POST', headers: sent, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const claimed = await call('/claim', { handoffToken });
  const { sessionId } = (await claimed.json()) as { sessionId: string };
  const scanned = await phone.scan(qrPayload('countersign', sessionId, 'https://bench.example/waiting'));
  if (!scanned.ok) throw new Error(`scan: ${scanned.status}`);
  const confirmed = await phone.confirm(PIN, scanned.body);
  if (!confirmed.ok) throw new Error(`confirm: ${confirmed.status}`);
  const completed = await call(`/completion?sessionId=${sessionId}`, {}, claimed.headers.get('set-cookie') ?? '');
  const { redirect } = (await completed.json()) as { redirect: string };
  return new URL(redirect).searchParams.get('code') ?? '';
};

const form = async <Answer>({ url }: LoginPlace, shop: RelyingParty, path: string, fields: Form): Promise<Answer> => {
  const headers = { ...shop.headers, 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await leanFetch(`${url}/openid/${path}`, { method: 'POST', headers, body: new URLSearchParams(fields).toString() });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
};
