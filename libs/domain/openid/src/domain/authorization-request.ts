import { codePoints, duplicateKey, parsedObject, parseId, type SubjectId } from '#kernel';
import type { Client } from '#domain/relying-party';

import { granted, type Granted } from './claims.js';
import { OAuthError } from './oauth-error.js';

/** The parameters of a request, each once. */
export type Parameters = Readonly<Record<string, string>>;

/** A request for a login that keeps the rules (OpenID Connect Core section 3.1.2.1). */
export interface AuthorizationRequest {
  readonly redirectUri: string;
  readonly state?: string | undefined;
  readonly codeChallenge?: string | undefined;
  /** The login is for this person alone. */
  readonly subjectId?: SubjectId | undefined;
  readonly openid: Granted & {
    readonly nonce?: string;
    /** The access token is bound to a key: to this one, where the request names it (RFC 9449 section 10). */
    readonly dpop?: { readonly jkt?: string };
  };
}

/** RFC 7636 section 4.2. */
const CODE_CHALLENGE = /^[A-Za-z0-9\-._~]{43,128}$/;
/** RFC 7638, by SHA-256. */
const THUMBPRINT = /^[A-Za-z0-9_-]{43}$/;
const PROMPTS: ReadonlySet<string> = new Set(['login', 'consent', 'select_account']);
/** Code points of `state`, as in the native interface, and of `nonce`. */
const LONGEST_TEXT = 500;

/** Parameters that would bring the request by another way. A `request_uri` of the provider's own is resolved before. */
const NOT_SUPPORTED = {
  request: 'request_not_supported',
  request_uri: 'request_uri_not_supported',
  registration: 'registration_not_supported',
} as const;

/**
 * Checks the parameters of a client's request, whose redirect URI is checked already. `subject`: of the `id_token_hint`, as verified. Throws {@link OAuthError}.
 */
export const authorizationRequest = (given: Parameters, redirectUri: string, client: Client, subject?: SubjectId): AuthorizationRequest => {
  for (const [parameter, error] of Object.entries(NOT_SUPPORTED))
    if (given[parameter] !== undefined) throw new OAuthError(error, `${parameter} is not supported`);
  if (given['response_type'] === undefined) throw invalid('response_type is required');
  if (given['response_type'] !== 'code') throw new OAuthError('unsupported_response_type', 'the only response_type is code');
  if (given['response_mode'] !== undefined && given['response_mode'] !== 'query') throw invalid('the only response_mode is query');
  const asked = grantedOf(given, client);
  assertPrompt(given['prompt']);
  if (given['max_age'] !== undefined && !/^\d{1,9}$/.test(given['max_age'])) throw invalid('max_age must be a number of seconds');
  const codeChallenge = codeChallengeIn(given, client);
  const nonce = textIn(given, 'nonce');
  return {
    redirectUri,
    state: textIn(given, 'state'),
    codeChallenge,
    subjectId: subject ?? parseId<SubjectId>(given['login_hint']),
    openid: { ...asked, ...(nonce !== undefined && { nonce }), ...dpopIn(given, client) },
  };
};

/** What the client gets of the scopes and claims of its request. Throws {@link OAuthError}. */
export const grantedOf = (given: Parameters, client: Client): Granted => {
  const scopes = wordsIn(given['scope']);
  if (!scopes.includes('openid')) throw new OAuthError('invalid_scope', 'the scope openid is required');
  return granted(scopes, claimsIn(given['claims']), client);
};

const codeChallengeIn = (given: Parameters, { requirePkce = true }: Client): string | undefined => {
  const { code_challenge: challenge, code_challenge_method: method, nonce } = given as Partial<Record<string, string>>;
  if (challenge === undefined) {
    if (method !== undefined) throw invalid('code_challenge_method needs code_challenge');
    if (requirePkce) throw invalid('code_challenge is required for this client');
    if (nonce === undefined) throw invalid('code_challenge or nonce is required');
    return undefined;
  }
  if (method !== 'S256') throw invalid('code_challenge_method must be S256');
  if (!CODE_CHALLENGE.test(challenge)) throw invalid('code_challenge must be 43 to 128 characters from A-Z a-z 0-9 - . _ ~');
  return challenge;
};

const dpopIn = ({ dpop_jkt: jkt }: Parameters, { dpopBoundAccessTokens }: Client): Pick<AuthorizationRequest['openid'], 'dpop'> => {
  if (jkt !== undefined && !THUMBPRINT.test(jkt)) throw invalid('dpop_jkt must be a thumbprint of RFC 7638');
  return jkt !== undefined ? { dpop: { jkt } } : dpopBoundAccessTokens ? { dpop: {} } : {};
};

/** Each login is an approval on the phone, so none succeeds without the person. */
const assertPrompt = (prompt: string | undefined): void => {
  const prompts = wordsIn(prompt);
  if (prompts.length === 1 && prompts[0] === 'none') throw new OAuthError('login_required', 'each login needs the person');
  if (prompts.some((each) => !PROMPTS.has(each))) throw invalid('prompt must be of login, consent and select_account, or none alone');
};

const textIn = (given: Parameters, parameter: 'state' | 'nonce'): string | undefined => {
  const text = given[parameter];
  if (text === undefined) return undefined;
  if (!text.isWellFormed() || codePoints(text) > LONGEST_TEXT) throw invalid(`${parameter} must be at most ${LONGEST_TEXT} characters`);
  return text;
};

/** The names in the parameter `claims`, of the ID token and of userinfo alike (OpenID Connect Core section 5.5). Their values are wishes that need not be met. */
const claimsIn = (text: string | undefined): readonly string[] => {
  if (text === undefined) return [];
  const claims = parsed(text);
  const members = ['userinfo', 'id_token'].flatMap((member) => {
    const asked = claims[member] ?? {};
    if (typeof asked !== 'object' || Array.isArray(asked)) throw invalid(`${member} in claims must be an object`);
    return Object.keys(asked);
  });
  return members;
};

const parsed = (text: string): Readonly<Record<string, unknown>> => {
  const claims = parsedObject(text);
  if (claims && duplicateKey(text, claims) === undefined) return claims;
  throw invalid('claims must be a JSON object');
};

const wordsIn = (text: string | undefined): readonly string[] => (text ?? '').split(' ').filter((word) => word !== '');

const invalid = (description: string): OAuthError => new OAuthError('invalid_request', description);
