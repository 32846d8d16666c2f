import { SandboxError } from './sandbox-error.js';

/** Milliseconds for one call: longer than the longest delay of a phone (600 s), so that only a sandbox that hangs ends one. */
const TIME_LIMIT = 660_000;

/** The calls of `/sandbox/v1`, in JSON. */
export class SandboxCalls {
  constructor(private readonly url: string) {}

  /** The answer's body; undefined when it has none. Throws a {@link SandboxError}. */
  async send<Answer>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
    const response = await this.#fetch(method, path, body);
    const text = await response.text();
    if (!response.ok) throw refusal(`${method} /sandbox/v1${path}`, response.status, text);
    return (text === '' ? undefined : JSON.parse(text)) as Answer;
  }

  async #fetch(method: string, path: string, body: object | undefined): Promise<Response> {
    try {
      return await fetch(`${this.url}/sandbox/v1${path}`, {
        method,
        ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
        redirect: 'manual',
        signal: AbortSignal.timeout(TIME_LIMIT),
      });
    } catch (cause) {
      throw new SandboxError(`the sandbox at ${this.url} cannot be reached`, { cause });
    }
  }
}

const refusal = (call: string, status: number, text: string): SandboxError => {
  const { errorCode, defaultTranslation } = envelopeIn(text);
  const words = [errorCode, defaultTranslation].filter((word) => word !== undefined).join(': ');
  return new SandboxError(`the sandbox answered ${status} to ${call}${words && `: ${words}`}`, { errorCode });
};

const envelopeIn = (text: string): { readonly errorCode?: string; readonly defaultTranslation?: string } => {
  try {
    return (JSON.parse(text) ?? {}) as object;
  } catch {
    return {};
  }
};
