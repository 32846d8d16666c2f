import { Browser } from './browser.js';
import { expectOk } from './expectations.js';
import { type Answer, exchange } from './http.js';
import type { Phone } from './phone.js';
import { secret } from './secrets.js';
import type { Service } from './service.js';

interface PortalCall {
  readonly json?: unknown;
  /** Default: those of the page. */
  readonly headers?: Readonly<Record<string, string>>;
  /** An address other than the portal's origin, for example that of one replica. */
  readonly at?: string;
}

/** A browser at the portal: it keeps the cookies, and calls the portal's origin as the page does. */
export class PortalBrowser {
  readonly #cookies = new Map<string, string>();

  /** `from`: the address that the browser calls from, another one of the loopback. */
  constructor(
    readonly origin: string,
    private readonly from?: string,
  ) {}

  /** Another browser that holds the same cookies. */
  copy(): PortalBrowser {
    const other = new PortalBrowser(this.origin, this.from);
    for (const [name, value] of this.#cookies) other.#cookies.set(name, value);
    return other;
  }

  async call(method: string, path: string, { json, headers = {}, at = this.origin }: PortalCall = {}): Promise<Answer> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await exchange(at, {
      method,
      path,
      headers: { 'x-service-portal': '1', ...(cookie !== '' && { cookie }), ...headers },
      ...(json !== undefined && { json }),
      ...(this.from !== undefined && { from: this.from }),
    });
    for (const line of answer.headers['set-cookie'] ?? []) this.#keep(line);
    return answer;
  }

  /** Approves on the phone the change that waits, and lets the service carry it out. Answers what the change answers. */
  async approve(phone: Phone, { json }: Answer): Promise<Answer> {
    const { approvalId, title, verificationCode } = json?.['approval'] as Readonly<Record<string, string>>;
    const { sessions } = expectOk(await phone.pending()) as { sessions: readonly { sessionId: string }[] };
    for (const { sessionId } of sessions.toReversed()) {
      const scanned = await phone.scan(sessionId, { via: 'push', shows_details: true });
      if (scanned.json?.['title'] !== title) continue;
      expectOk(await phone.confirm(sessionId, { code: verificationCode }));
      return this.call('POST', `/admin/v1/approvals/${approvalId}/completion`);
    }
    throw new Error(`no approval of "${title}" is in the inbox`);
  }

  /** Opens the link of an invitation and logs in with the hosted page and the phone. Resolves with the address of the last redirect. */
  async logIn(service: Service, phone: Phone, link: string): Promise<string | undefined> {
    const invitation = secret('activation code', new URL(link).hash.replace('#invitation=', ''));
    const { redirect: page } = expectOk(await this.call('POST', '/portal/v1/login', { json: { invitation } }));
    const handoffToken = secret('handoff token', new URL(page as string).searchParams.get('t') ?? '');
    const hosted = new Browser(service);
    const claim = expectOk(await hosted.claim(handoffToken, { prefer: 'return=representation' }));
    const { sessionId, qrPayload } = claim as { sessionId: string; qrPayload: string };
    const { t, a } = Object.fromEntries(new URL(qrPayload).searchParams);
    expectOk(await phone.scan(sessionId, { t: Number(t), a }));
    expectOk(await phone.confirm(sessionId));
    const { redirect } = expectOk(await hosted.complete(sessionId));
    const { origin, pathname, search, searchParams } = new URL(redirect as string);
    secret('authorization code', searchParams.get('code') ?? '');
    secret('state', searchParams.get('state') ?? '');
    return (await this.call('GET', pathname + search, { at: origin })).headers.location;
  }

  #keep(line: string): void {
    const [name = '', value = ''] = line.split(';', 1)[0]!.split('=');
    if (value === '') this.#cookies.delete(name);
    else this.#cookies.set(name, secret('login cookie', value));
  }
}
