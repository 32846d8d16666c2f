import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface WebAnswer {
  readonly status: number;
  /** Absolute. Of a redirection. */
  readonly location: string | undefined;
  readonly body: string;
}

/** Connections that are kept, for all clients. */
export const keptConnections = (): Agent => new Agent({ keepAlive: true });

/** What a login needs of a browser: it keeps the cookies of one login, and shows no pages. */
export class WebClient {
  readonly #cookies = new Map<string, string>();

  constructor(private readonly agent: Agent) {}

  get(url: string): Promise<WebAnswer> {
    return this.#send('GET', url);
  }

  /** Sends a form. */
  post(url: string, fields: Readonly<Record<string, string>>): Promise<WebAnswer> {
    return this.#send('POST', url, new URLSearchParams(fields).toString());
  }

  async #send(method: string, url: string, body?: string): Promise<WebAnswer> {
    const cookie = [...this.#cookies].map((pair) => pair.join('=')).join('; ');
    const headers = {
      ...(cookie !== '' && { cookie }),
      ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(body) }),
    };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url, { method, headers, agent: this.agent }, resolve).once('error', reject).end(body);
    });
    this.#keep(answer.headers['set-cookie'] ?? []);
    const { location } = answer.headers;
    return { status: answer.statusCode ?? 0, location: location && new URL(location, url).href, body: await text(answer) };
  }

  #keep(cookies: readonly string[]): void {
    for (const cookie of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '' || /max-age=0|expires=thu, 0?1[ -]jan[ -]1970/i.test(cookie)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }
}
