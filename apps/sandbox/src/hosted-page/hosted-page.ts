import { type Reply, readReply } from '#clients/software-phone';

import { bodyOf, withMappedErrors } from '../phones/refused-phone.js';

export interface HostedPageParts {
  /** At which this process reaches itself, an origin. */
  readonly own: string;
  readonly fetch: typeof fetch;
  /** Of the login page, as browsers know it. */
  readonly loginUrl: string;
  readonly appScheme: string;
}

interface Claimed {
  readonly sessionId: string;
  /** Of a code that changes each second: the one of now. */
  readonly qrPayload?: string;
}

/** Seconds for which a status is held. */
const HELD = 25;
const UNSETTLED = ['PENDING', 'SCANNED'];

/** The hosted page in a browser of its own, over the real `/login-ui/v1`. Refusals are thrown as those of a phone are. */
export class HostedPage {
  #cookie = '';

  private constructor(private readonly parts: HostedPageParts) {}

  /** Claims the login, as the page does when it opens. */
  static async open(
    parts: HostedPageParts,
    handoffToken: string,
  ): Promise<{ readonly page: HostedPage; readonly sessionId: string; readonly qr: string }> {
    const page = new HostedPage(parts);
    const claim = { method: 'POST', body: JSON.stringify({ handoffToken }), headers: { prefer: 'return=representation' } };
    const { sessionId, qrPayload = page.#code(sessionId) } = bodyOf(await page.#call<Claimed>('/claim', claim));
    return { page, sessionId, qr: qrPayload };
  }

  /** The address to which the page sends the browser, or undefined when the login or the signature ended without one. Waits until it is decided. */
  async end(sessionId: string): Promise<string | undefined> {
    let status = 'SCANNED';
    while (UNSETTLED.includes(status)) {
      const path = `/status?sessionId=${sessionId}&since=${status}`;
      ({ status } = bodyOf(await this.#call<{ readonly status: string }>(path, { headers: { prefer: `wait=${HELD}` } })));
    }
    if (status !== 'CONFIRMED' && status !== 'COMPLETED') return undefined;
    return bodyOf(await this.#call<{ readonly redirect: string }>(`/completion?sessionId=${sessionId}`, { method: 'POST', body: '{}' })).redirect;
  }

  #code(sessionId: string): string {
    const { appScheme, loginUrl } = this.parts;
    return `${appScheme}://app/scan?sessionId=${sessionId}&returnUrl=${encodeURIComponent(`${loginUrl}/#r`)}`;
  }

  async #call<Body>(path: string, { headers, ...init }: RequestInit): Promise<Reply<Body>> {
    const { own, loginUrl, fetch } = this.parts;
    const sent = {
      ...headers,
      'x-service-login': '1',
      origin: new URL(loginUrl).origin,
      'content-type': 'application/json',
      cookie: this.#cookie,
    };
    const response = await withMappedErrors(fetch(`${own}/login-ui/v1/session${path}`, { ...init, headers: sent }));
    for (const cookie of response.headers.getSetCookie()) this.#cookie = cookie.slice(0, cookie.indexOf(';'));
    return readReply<Body>(response);
  }
}
