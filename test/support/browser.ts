import type { Answer } from './http.js';
import { secret } from './secrets.js';
import type { Service } from './service.js';

const V1 = '/login-ui/v1/session';

/** A browser on the hosted page: it sends the header, and its cookie jar holds `svc_login`. */
export class Browser {
  cookie: string | undefined;

  constructor(private readonly service: Service) {}

  async call(method: string, path: string, json?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await this.service.send({
      method,
      path,
      headers: {
        'x-service-login': '1',
        origin: this.service.loginOrigin,
        ...(this.cookie !== undefined && { cookie: `svc_login=${this.cookie}` }),
        ...headers,
      },
      ...(json !== undefined && { json }),
    });
    this.#keep(answer);
    return answer;
  }

  claim(handoffToken: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.call('POST', `${V1}/claim`, { handoffToken }, headers);
  }

  /** The fields that the page may know of the cookie's login. */
  describe(): Promise<Answer> {
    return this.call('GET', V1);
  }

  withdraw(sessionId: string): Promise<Answer> {
    return this.call('DELETE', `${V1}?sessionId=${encodeURIComponent(sessionId)}`);
  }

  pushAgain(sessionId: string): Promise<Answer> {
    return this.call('POST', `${V1}/push?sessionId=${encodeURIComponent(sessionId)}`);
  }

  status(sessionId: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.call('GET', `${V1}/status?sessionId=${encodeURIComponent(sessionId)}`, undefined, headers);
  }

  complete(sessionId: string, body?: unknown): Promise<Answer> {
    return this.call('POST', `${V1}/completion?sessionId=${encodeURIComponent(sessionId)}`, body);
  }

  finishByNumber(sessionId: string, number: unknown): Promise<Answer> {
    return this.call('POST', `${V1}/number?sessionId=${encodeURIComponent(sessionId)}`, { number });
  }

  #keep(answer: Answer): void {
    const set = setCookie(answer);
    if (!set) return;
    this.cookie = set.value === '' ? undefined : secret('login cookie', set.value);
  }
}

export interface SetCookie {
  readonly value: string;
  /** By name in lower case; an attribute without a value is ''. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** The `Set-Cookie` for `svc_login` of an answer (RFC 6265 section 4.1). */
export const setCookie = ({ headers }: Answer): SetCookie | undefined => {
  const line = headers['set-cookie']?.find((cookie) => cookie.startsWith('svc_login='));
  if (line === undefined) return undefined;
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  return {
    value: pair.slice('svc_login='.length),
    attributes: Object.fromEntries(
      attributes.map((attribute) => {
        const [name = '', value = ''] = attribute.split('=');
        return [name.toLowerCase(), value];
      }),
    ),
  };
};
