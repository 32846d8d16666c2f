import { expect } from '@jest/globals';

import { Browser } from '../browser.js';
import { expectOk } from '../expectations.js';
import { exchange } from '../http.js';
import type { LoginSite } from './login-site.js';

/** A browser at one site: it keeps the cookies that the site sets. */
export class Visitor {
  readonly #cookies = new Map<string, string>();

  constructor(private readonly site: LoginSite) {}

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** A cookie that another one has put into this browser. */
  plant(cookie: string): void {
    const end = cookie.indexOf('=');
    this.#cookies.set(cookie.slice(0, end), cookie.slice(end + 1));
  }

  async send(method: 'GET' | 'HEAD' | 'POST', path: string, headers: Readonly<Record<string, string>> = {}) {
    const answer = await exchange(this.site.origin, { method, path, headers: { cookie: this.cookie, ...headers } });
    for (const header of answer.headers['set-cookie'] ?? []) this.plant(header.split(';')[0]!);
    return answer;
  }

  /** Who the start page says is logged in. */
  async shown(): Promise<string> {
    const [, shown] = /(You are (?:not logged in|logged in as [0-9a-f-]{36})\.)/.exec((await this.send('GET', '/')).text) ?? [];
    return shown ?? 'nothing';
  }

  /** Begins a login that the person confirms. Answers the address of the callback to which the hosted page sends the browser. */
  async confirmedLogin(path = '/login'): Promise<URL> {
    return this.confirm(await this.begin(path));
  }

  /** Begins a login: the address of the hosted page. */
  async begin(path = '/login'): Promise<URL> {
    const begun = await this.send('GET', path);
    expect(begun.status).toBe(303);
    return new URL(begun.headers.location!);
  }

  /** The person confirms the login that is shown there. Answers the address of the callback. */
  async confirm(hosted: URL): Promise<URL> {
    const { service, phone } = this.site;
    const browser = new Browser(service);
    const { sessionId } = expectOk(await browser.claim(hosted.searchParams.get('t'))) as { sessionId: string };
    expectOk(await phone.scan(sessionId));
    expectOk(await phone.confirm(sessionId));
    return new URL((expectOk(await browser.complete(sessionId)) as { redirect: string }).redirect);
  }

  open({ pathname, search }: URL) {
    return this.send('GET', pathname + search);
  }
}
