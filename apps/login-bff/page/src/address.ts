import type { Entry } from './login-flow.js';

const RETURN = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:\.([\w-]{1,500}))?$/i;

/**
 * The part of the address that the page reads: `?t=<handoffToken>`, or the sign that the app has returned: `#r`,
 * `#<sessionId>.<return token>` after a link, or `#<sessionId>`.
 */
export const readEntry = (address: URL): Entry => {
  const handoffToken = address.searchParams.get('t');
  if (handoffToken !== null && handoffToken !== '') return { handoffToken };
  // RETURN_MARK of qr-picture.ts; this file shares nothing with the rest of the page, so that it runs before anything is fetched.
  if (address.hash === '#r') return { returned: true };
  const [, sessionId, returnToken] = RETURN.exec(address.hash.slice(1)) ?? [];
  if (sessionId === undefined) return {};
  return { returned: true, sessionId: sessionId.toLowerCase(), ...(returnToken !== undefined && { returnToken }) };
};
