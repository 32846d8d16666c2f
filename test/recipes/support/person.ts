import { approve, type Phone, type Service } from '../../support/index.js';

/** Of one login: more means that two servers send the browser to and fro. */
const MOST_REDIRECTS = 20;

/** What the browser shows in the end. */
export interface Shown {
  readonly address: URL;
  readonly status: number;
  readonly text: string;
}

/** A person with a browser, which keeps cookies by host and follows redirects, and with a phone, which approves what the provider asks for. */
export class Person {
  readonly #cookies = new Map<string, Map<string, string>>();

  constructor(
    private readonly service: Service,
    private readonly phone: Phone,
    /** The issuer of the provider. */
    private readonly issuer: string,
  ) {}

  /** Opens the address, and approves each login on the way. */
  async open(address: string | URL, init: RequestInit = {}): Promise<Shown> {
    const end = await this.#go(new URL(address), init);
    if (end instanceof URL) throw new Error(`an unexpected redirect to ${end.href}`);
    return end;
  }

  /** The same for a login that ends at an address which nobody serves: the address that the browser is sent to, which begins with `until`. */
  async follow(address: string | URL, until: string, init: RequestInit = {}): Promise<URL> {
    const end = await this.#go(new URL(address), init, until);
    if (!(end instanceof URL)) throw new Error(`${end.address.href} shows ${end.status} ${end.text}`);
    return end;
  }

  async #go(address: URL, init: RequestInit, until?: string): Promise<Shown | URL> {
    let [at, sent] = [address, init];
    for (let redirects = 0; redirects < MOST_REDIRECTS; redirects++) {
      if (until !== undefined && at.href.startsWith(until)) return at;
      if (at.href.startsWith(`${this.issuer}/authorize`)) {
        [at, sent] = [await approve(at, this.service, this.phone), {}];
        continue;
      }
      const answer = await this.#send(at, sent);
      const location = answer.headers.get('location');
      if (location === null) return { address: at, status: answer.status, text: await answer.text() };
      [at, sent] = [new URL(location, at), {}];
    }
    throw new Error(`more than ${MOST_REDIRECTS} redirects, the last one to ${at.href}`);
  }

  async #send(at: URL, init: RequestInit): Promise<Response> {
    const jar = this.#cookies.get(at.host) ?? new Map<string, string>();
    this.#cookies.set(at.host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(at, { ...init, redirect: 'manual', headers: { ...init.headers, ...(cookie !== '' && { cookie }) } });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1);
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    return answer;
  }
}
