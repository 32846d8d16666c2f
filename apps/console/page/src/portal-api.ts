import { readReply, type Reply } from '#web-page/browser';

export type Json = Readonly<Record<string, unknown>>;

/** A reply; one that a limit has refused tells when the call is possible again, epoch seconds. */
export type PortalReply = Reply<Json> | { readonly kind: 'UNREACHABLE'; readonly againAt: number };

/** The calls of the page, all to its own origin: `/portal/v1` for the login, `/admin/v1` for the rest. The browser adds the cookie of the session. */
export class PortalApi {
  get(path: string): Promise<PortalReply> {
    return this.#send('GET', path);
  }

  post(path: string, body: object = {}): Promise<PortalReply> {
    return this.#send('POST', path, body);
  }

  patch(path: string, body: object): Promise<PortalReply> {
    return this.#send('PATCH', path, body);
  }

  put(path: string, body: object): Promise<PortalReply> {
    return this.#send('PUT', path, body);
  }

  delete(path: string): Promise<PortalReply> {
    return this.#send('DELETE', path);
  }

  async #send(method: string, path: string, body?: object): Promise<PortalReply> {
    try {
      const response = await fetch(path, {
        method,
        credentials: 'same-origin',
        headers: { 'x-service-portal': '1', ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const wait = Number(response.headers.get('retry-after'));
      if (response.status === 429 && wait > 0) return { kind: 'UNREACHABLE', againAt: Math.ceil(Date.now() / 1000) + wait };
      return await readReply(response, (json) => json);
    } catch {
      return { kind: 'UNREACHABLE' };
    }
  }
}

/** The text of a member, empty when it is none. */
export const textOf = (json: Json, name: string): string => (typeof json[name] === 'string' ? json[name] : '');

/** The texts of a list. */
export const textsOf = (json: Json, name: string): readonly string[] => {
  const list: unknown = json[name];
  return Array.isArray(list) ? list.filter((each): each is string => typeof each === 'string') : [];
};

/** The object of a member, if there is one. */
export const objectOf = (json: Json, name: string): Json | undefined => {
  const object: unknown = json[name];
  return typeof object === 'object' && object !== null ? (object as Json) : undefined;
};

/** The objects of a list. */
export const listOf = (json: Json, name: string): readonly Json[] => {
  const list: unknown = json[name];
  return Array.isArray(list) ? list.filter((each): each is Json => typeof each === 'object' && each !== null) : [];
};
