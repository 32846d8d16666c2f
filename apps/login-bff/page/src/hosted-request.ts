import { withTimeLimit } from '#web-page/first-frame';

/** How long the service is asked to hold a status answer (RFC 7240 `wait`), and the time for the whole answer in milliseconds. */
export const WAIT_SECONDS = 20;
const ANSWER_MS = WAIT_SECONDS * 1000 + 10_000;

/** A call of a hosted-page endpoint, with the headers that all of them want. Rejects without a whole answer. */
export const sendHosted = (baseUrl: string, path: string, init: RequestInit, send: typeof fetch = fetch): Promise<Response> =>
  withTimeLimit(ANSWER_MS, async (signal) => {
    const response = await send(`${baseUrl}/login-ui/v1/session${path}`, {
      ...init,
      headers: { ...init.headers, 'X-Service-Login': '1' },
      credentials: 'include',
      cache: 'no-store',
      redirect: 'error',
      signal,
    });
    // The time limit is for the body, too.
    await response.clone().arrayBuffer();
    return response;
  });

/** Asks for the login of the cookie. */
export const sendDescribe = (baseUrl: string, send?: typeof fetch): Promise<Response> => sendHosted(baseUrl, '', { method: 'GET' }, send);

/** Asks for everything that the first scene shows, so that no second request comes before the code. */
export const sendClaim = (baseUrl: string, handoffToken: string, send?: typeof fetch): Promise<Response> => {
  const headers = { 'content-type': 'application/json', prefer: 'return=representation' };
  return sendHosted(baseUrl, '/claim', { method: 'POST', headers, body: JSON.stringify({ handoffToken }) }, send);
};
