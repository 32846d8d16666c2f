import type { JsonObject } from '#kernel';

/** The error envelope (specification/conventions.md#error-envelope). Empty when something other than the service answered. */
export interface ErrorBody {
  readonly errorCode?: string;
  readonly defaultTranslation?: string;
  readonly resultMessageLangCode?: string;
  readonly payload?: JsonObject | null;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
}

/** The answer of the service: `ok` for 2xx. */
export type Reply<Body> = Answer & ({ readonly ok: true; readonly body: Body } | { readonly ok: false; readonly body: ErrorBody });

export const readReply = async <Body>(response: Response): Promise<Reply<Body>> => {
  const { ok, status, headers } = response;
  const text = await response.text();
  const json = headers.get('content-type')?.startsWith('application/json') ?? false;
  const body: unknown = json && text !== '' ? JSON.parse(text) : {};
  return ok ? { ok, status, headers, body: body as Body } : { ok, status, headers, body: body as ErrorBody };
};
