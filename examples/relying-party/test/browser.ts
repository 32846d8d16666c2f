import type { FastifyInstance } from 'fastify';

export interface PageAnswer {
  readonly status: number;
  readonly location: string | undefined;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly setCookie: string | undefined;
}

/** A minimal browser: keeps the cookie, sends Origin with forms, and follows no redirect by itself. */
export class Browser {
  cookie: string | undefined;

  constructor(
    private readonly app: FastifyInstance,
    private readonly origin: string,
  ) {}

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<PageAnswer> {
    return this.#send('GET', path, headers);
  }

  post(
    path: string,
    form: Readonly<Record<string, string | readonly string[]>> = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<PageAnswer> {
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(form)) for (const one of [value].flat()) body.append(name, one);
    return this.#send('POST', path, { origin: this.origin, 'content-type': 'application/x-www-form-urlencoded', ...headers }, body.toString());
  }

  /** Opens the address of a redirect. */
  follow(location: string | undefined): Promise<PageAnswer> {
    const url = new URL(location ?? '', this.origin);
    if (url.origin !== this.origin) throw new Error(`${url.origin} is not the demo`);
    return this.get(url.pathname + url.search);
  }

  async #send(method: 'GET' | 'POST', url: string, headers: Readonly<Record<string, string>>, payload?: string): Promise<PageAnswer> {
    const answer = await this.app.inject({
      method,
      url,
      headers: { ...(this.cookie && { cookie: this.cookie }), ...headers },
      ...(payload !== undefined && { payload }),
    });
    const setCookie = [answer.headers['set-cookie']].flat()[0];
    if (setCookie) this.cookie = setCookie.split(';', 1)[0];
    return { status: answer.statusCode, location: answer.headers.location, text: answer.body, headers: answer.headers, setCookie };
  }
}
