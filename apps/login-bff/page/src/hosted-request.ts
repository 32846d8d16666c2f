/** How long the service is asked to hold a status answer (RFC 7240 `wait`), and how much longer we wait for it. */
export const WAIT_SECONDS = 20;
const GRACE_MS = 10_000;

/** A call of a hosted-page endpoint, with the headers that all of them want. Rejects without an answer. */
export const sendHosted = (baseUrl: string, path: string, init: RequestInit, send: typeof fetch = fetch): Promise<Response> =>
  send(`${baseUrl}/login-ui/v1/session${path}`, {
    ...init,
    headers: { ...init.headers, 'X-Service-Login': '1' },
    credentials: 'include',
    cache: 'no-store',
    redirect: 'error',
    signal: AbortSignal.timeout(WAIT_SECONDS * 1000 + GRACE_MS),
  });

/** Asks for everything that the first scene shows, so that no second request comes before the code. */
export const sendClaim = (baseUrl: string, handoffToken: string, send?: typeof fetch): Promise<Response> => {
  const headers = { 'content-type': 'application/json', prefer: 'return=representation' };
  return sendHosted(baseUrl, '/claim', { method: 'POST', headers, body: JSON.stringify({ handoffToken }) }, send);
};
