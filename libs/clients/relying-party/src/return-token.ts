import { randomBytes } from 'node:crypto';

import { verifyState } from './state.js';

/** The parameter of the return address that carries the token. */
const PARAMETER = 'return_token';

/** 256 random bits, for one login that is opened by a link. Keep it with the login, on your server. */
export const newReturnToken = (): string => randomBytes(32).toString('base64url');

/** The `returnUrl` of a link on the same device: the app brings the token back to the browser of that device, and to no other. */
export const withReturnToken = (returnUrl: string, token: string): string => {
  const url = new URL(returnUrl);
  url.searchParams.set(PARAMETER, token);
  return url.href;
};

/**
 * Whether the browser has come back from the app with the token of its login. Complete a login by link only then: a person who sends the
 * link to a victim and waits has the session, but not the token. Compares in constant time. Throws a TypeError for an empty expected token.
 */
export const verifyReturnToken = (expected: string, query: URLSearchParams | Readonly<Record<string, unknown>>): boolean => {
  const received: unknown = query instanceof URLSearchParams ? query.getAll(PARAMETER) : query[PARAMETER];
  return verifyState(expected, Array.isArray(received) && received.length === 1 ? received[0] : received);
};
