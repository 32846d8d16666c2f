import { createHash, randomBytes } from 'node:crypto';
import type { Agent } from 'node:http';

import { WebClient } from './web-client.js';

export interface CodeFlow {
  /** Of OpenID Connect: `/.well-known/openid-configuration` stands below it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
}

export interface Endpoints {
  readonly authorization: string;
  readonly token: string;
}

/** More steps than any login takes: a server that goes round in circles fails. */
const MOST_STEPS = 10;

/** The endpoints by OpenID Connect Discovery. */
export const endpointsOf = async ({ issuer }: CodeFlow): Promise<Endpoints> => {
  const answer = await fetch(`${issuer}/.well-known/openid-configuration`);
  const { authorization_endpoint, token_endpoint } = (await answer.json()) as Record<string, string>;
  if (authorization_endpoint === undefined || token_endpoint === undefined) throw new Error(`${issuer} names no endpoints`);
  return { authorization: authorization_endpoint, token: token_endpoint };
};

/**
 * A whole login by authorization code and PKCE (RFC 6749, RFC 7636), as a browser without a session and a client's server do it: follow the redirections, fill in
 * the form that comes, exchange the code. Rejects when no id token comes.
 */
export const loginByCode = async (
  { clientId, clientSecret, redirectUri }: CodeFlow,
  endpoints: Endpoints,
  person: Readonly<Record<string, string>>,
  agent: Agent,
): Promise<void> => {
  const web = new WebClient(agent);
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    state: 'bench',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  let at = `${endpoints.authorization}?${query.toString()}`;
  let answer = await web.get(at);
  for (let step = 0; !answer.location?.startsWith(redirectUri); step += 1) {
    if (step === MOST_STEPS) throw new Error('the login does not end');
    if (answer.location === undefined) answer = await web.post(new URL(formIn(answer.body), at).href, person);
    else answer = await web.get((at = answer.location));
  }
  const code = new URL(answer.location).searchParams.get('code');
  if (code === null) throw new Error(`no code: ${answer.location}`);
  const exchange = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
  const tokens = await web.post(endpoints.token, { ...exchange, client_id: clientId, client_secret: clientSecret });
  if (!tokens.body.includes('"id_token"')) throw new Error(`no id token: ${tokens.status} ${tokens.body.slice(0, 200)}`);
};

/** The address that the form of a page is sent to. */
const formIn = (page: string): string => {
  const [, action] = /<form[^>]* action="([^"]+)"/.exec(page) ?? [];
  if (action === undefined) throw new Error(`no form: ${page.slice(0, 200)}`);
  return action.replaceAll('&amp;', '&');
};
