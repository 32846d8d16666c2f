import { leanFetch } from './lean-fetch.js';

/** Requests in JSON that must be answered 2xx. */
export class JsonClient {
  constructor(
    private readonly url: string,
    readonly headers: Readonly<Record<string, string>>,
  ) {}

  async post<Answer>(path: string, body: object = {}): Promise<Answer> {
    const response = await leanFetch(this.url + path, {
      method: 'POST',
      headers: { ...this.headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  }
}
