import type { Entry } from './login-flow.js';

const SESSION_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The part of the address that the page reads: `?t=<handoffToken>`, or `#<sessionId>` when the app returns. */
export const readEntry = (address: URL): Entry => {
  const handoffToken = address.searchParams.get('t');
  if (handoffToken !== null && handoffToken !== '') return { handoffToken };
  const fragment = address.hash.slice(1);
  return SESSION_ID.test(fragment) ? { sessionId: fragment.toLowerCase() } : {};
};
