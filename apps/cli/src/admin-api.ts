import { NotAuthorized, Refusal, Unavailable } from './failures.js';

export type JsonBody = Readonly<Record<string, unknown>>;

/** Milliseconds. */
const ANSWER_LIMIT = 15_000;
const PAGE = 100;

/** Calls to `/admin/v1`. Each throws a Failure whose message a person can act on. */
export class AdminApi {
  constructor(
    private readonly baseUrl: string,
    private readonly token: string,
  ) {}

  get(path: string): Promise<JsonBody> {
    return this.#call('GET', path);
  }

  post(path: string, body?: JsonBody): Promise<JsonBody> {
    return this.#call('POST', path, body);
  }

  patch(path: string, body: JsonBody): Promise<JsonBody> {
    return this.#call('PATCH', path, body);
  }

  put(path: string, body: JsonBody): Promise<JsonBody> {
    return this.#call('PUT', path, body);
  }

  async delete(path: string): Promise<void> {
    await this.#call('DELETE', path);
  }

  /** All pages of a list. */
  async all(path: string, member: string): Promise<readonly JsonBody[]> {
    const entries: JsonBody[] = [];
    for (let after: unknown; ;) {
      const next = typeof after === 'string' ? `&after=${encodeURIComponent(after)}` : '';
      const page = await this.#call('GET', `${path}?limit=${PAGE}${next}`);
      const found = page[member];
      if (!Array.isArray(found)) throw new Unavailable(`${this.baseUrl} answered a list without ${member}: is it Countersign?`);
      entries.push(...(found as JsonBody[]));
      after = page['next'];
      if (after === undefined) return entries;
    }
  }

  async #call(method: string, path: string, body?: JsonBody): Promise<JsonBody> {
    const response = await this.#send(method, path, body);
    const json = await objectIn(response);
    if (response.ok && (json || response.status === 204)) return json ?? {};
    const { errorCode, defaultTranslation } = json ?? {};
    if (typeof errorCode !== 'string') throw new Unavailable(`${this.baseUrl} answered ${response.status}: is it Countersign?`);
    if (response.status === 401) throw new NotAuthorized('the service does not know this admin token');
    const text = `${errorCode}: ${typeof defaultTranslation === 'string' ? defaultTranslation : response.statusText}`;
    if (response.status === 429) throw new Unavailable(`${text} ${waitIn(response)}`.trimEnd());
    throw response.status >= 500 ? new Unavailable(text) : new Refusal(text);
  }

  async #send(method: string, path: string, body: JsonBody | undefined): Promise<Response> {
    try {
      return await fetch(`${this.baseUrl}/admin/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${this.token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.timeout(ANSWER_LIMIT),
      });
    } catch (cause) {
      throw new Unavailable(`no answer from ${this.baseUrl}: check that the service runs and that BASE_URL is right`, { cause });
    }
  }
}

/** When the call may be made again, as the service says it. */
const waitIn = ({ headers }: Response): string => {
  const seconds = Number(headers.get('retry-after'));
  return seconds > 0 ? `It is possible again in ${seconds} seconds.` : '';
};

const objectIn = async (response: Response): Promise<JsonBody | undefined> => {
  try {
    const json: unknown = await response.json();
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json } : undefined;
  } catch {
    return undefined;
  }
};
