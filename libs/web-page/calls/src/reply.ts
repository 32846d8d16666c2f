/** The result of a call to the service. A refusal has its code; the service's own text is never shown. */
export type Reply<Body> =
  | { readonly kind: 'OK'; readonly body: Body }
  | { readonly kind: 'REFUSED'; readonly status: number; readonly errorCode?: string; readonly payload?: unknown }
  /** No answer, or a temporary refusal (429, 5xx): the same call may be made again. */
  | { readonly kind: 'UNREACHABLE'; readonly retryAfterMs?: number };

/** Turns an HTTP answer into a reply. A body that is not what `read` expects counts as no answer. */
export const readReply = async <Body>(
  response: Response,
  read: (body: Readonly<Record<string, unknown>>) => Body | undefined,
): Promise<Reply<Body>> => {
  if (response.status === 429 || response.status >= 500) {
    const seconds = Number(response.headers.get('retry-after'));
    return { kind: 'UNREACHABLE', ...(seconds > 0 ? { retryAfterMs: Math.min(seconds, 60) * 1000 } : {}) };
  }
  const json = await readObject(response);
  if (response.ok) {
    const body = read(json);
    return body === undefined ? { kind: 'UNREACHABLE' } : { kind: 'OK', body };
  }
  const errorCode = json['errorCode'];
  return {
    kind: 'REFUSED',
    status: response.status,
    ...(typeof errorCode === 'string' ? { errorCode } : {}),
    ...(json['payload'] === undefined ? {} : { payload: json['payload'] }),
  };
};

const readObject = async (response: Response): Promise<Readonly<Record<string, unknown>>> => {
  try {
    const json: unknown = await response.json();
    return typeof json === 'object' && json !== null ? { ...json } : {};
  } catch {
    return {};
  }
};

/** The members with these names that are texts; it leaves out those that are missing or of another type. */
export const textsIn = <Name extends string>(body: Readonly<Record<string, unknown>>, ...names: readonly Name[]): Partial<Record<Name, string>> =>
  Object.fromEntries(names.flatMap((name) => (typeof body[name] === 'string' ? [[name, body[name]]] : []))) as Partial<Record<Name, string>>;
