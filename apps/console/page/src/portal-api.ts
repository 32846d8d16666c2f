import { readReply, type Reply } from '#web-page/browser';

export type Json = Readonly<Record<string, unknown>>;

/** A reply; one that a limit has refused tells when the call is possible again, epoch seconds. */
export type PortalReply = Reply<Json> | { readonly kind: 'UNREACHABLE'; readonly againAt: number };

/** Tells the person that a change waits for an approval on the phone. */
export interface ApprovalView {
  /** Aborted when the person does not wait for it any more. */
  readonly cancelled: AbortSignal;
  close(): void;
}

/** The time between two questions whether the phone has decided, in milliseconds. */
const ASK_EVERY = 1_000;

/** The calls of the page, all to its own origin: `/portal/v1` for the login, `/admin/v1` for the rest. The browser adds the cookie of the session. */
export class PortalApi {
  /** Set by the page. */
  onApproval: ((approval: Json) => ApprovalView) | undefined;

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

  /** Waits for the phone, then carries the change out. Answers what the change answers. */
  async #approved(approval: Json): Promise<PortalReply> {
    const path = `/admin/v1/approvals/${textOf(approval, 'approvalId')}`;
    const view = this.onApproval?.(approval);
    try {
      for (;;) {
        const reply = await this.#send('GET', path);
        if (reply.kind === 'REFUSED') return reply;
        const state = reply.kind === 'OK' ? textOf(reply.body, 'state') : 'WAITING';
        if (state === 'SIGNED') return await this.#send('POST', `${path}/completion`);
        if (state === 'OVER' || view?.cancelled.aborted) return { kind: 'REFUSED', status: 410, errorCode: 'session_expired' };
        await new Promise((waited) => setTimeout(waited, ASK_EVERY));
      }
    } finally {
      view?.close();
    }
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
      const reply = await readReply(response, (json) => json);
      const approval = response.status === 202 && reply.kind === 'OK' ? objectOf(reply.body, 'approval') : undefined;
      return approval ? await this.#approved(approval) : reply;
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
