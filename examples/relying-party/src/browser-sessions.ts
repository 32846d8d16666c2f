import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Eight hours, in milliseconds. */
const LIFE = 8 * 60 * 60 * 1000;
/** More browsers than this at once, and the ones that came first are forgotten. */
const MOST = 10_000;

export interface BrowserSessionsOptions {
  /** The cookie is Secure, and only for this host. */
  readonly secure: boolean;
  readonly cookieName: string;
  readonly now: () => number;
}

/**
 * The demo's own sessions, as the specification recommends them: the browser holds a random identifier in a signed cookie that
 * no script can read, everything else stays here. Whenever something begins or ends, the identifier is another one.
 */
export class BrowserSessions<Data> {
  readonly #entries = new Map<string, { readonly data: Data; readonly expiresAt: number }>();

  constructor(private readonly options: BrowserSessionsOptions) {}

  /** What is kept for this browser; undefined when its cookie is missing, not ours, or too old. */
  find(request: FastifyRequest): Data | undefined {
    const id = this.#idOf(request);
    const entry = id === undefined ? undefined : this.#entries.get(id);
    return entry && entry.expiresAt > this.options.now() ? entry.data : undefined;
  }

  /** Keeps this and nothing else, under a new identifier: the one that the browser had before is worth nothing any more. */
  renew(request: FastifyRequest, reply: FastifyReply, data: Data): void {
    const before = this.#idOf(request);
    if (before !== undefined) this.#entries.delete(before);
    const id = randomBytes(32).toString('base64url');
    this.#entries.set(id, { data, expiresAt: this.options.now() + LIFE });
    this.#forgetOld();
    reply.setCookie(this.options.cookieName, id, {
      signed: true,
      httpOnly: true,
      sameSite: 'lax',
      secure: this.options.secure,
      path: '/',
      maxAge: LIFE / 1000,
    });
  }

  /** Changes what is kept, in a session that goes on. */
  update(request: FastifyRequest, data: Data): void {
    const id = this.#idOf(request);
    const entry = id === undefined ? undefined : this.#entries.get(id);
    if (id !== undefined && entry) this.#entries.set(id, { ...entry, data });
  }

  #idOf(request: FastifyRequest): string | undefined {
    const cookie = request.cookies[this.options.cookieName];
    if (cookie === undefined) return undefined;
    const { valid, value } = request.unsignCookie(cookie);
    return valid ? value : undefined;
  }

  /** Insertion order is the order of age. */
  #forgetOld(): void {
    for (const [id, { expiresAt }] of this.#entries) {
      if (expiresAt > this.options.now() && this.#entries.size <= MOST) return;
      this.#entries.delete(id);
    }
  }
}
