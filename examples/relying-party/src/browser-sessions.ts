import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Eight hours, in milliseconds. */
const LIFE = 8 * 60 * 60 * 1000;
/** Beyond this number of browsers the oldest sessions are dropped. */
const MAX_SESSIONS = 10_000;

export interface BrowserSessionsOptions {
  /** The cookie is Secure, and only for this host. */
  readonly secure: boolean;
  readonly cookieName: string;
  readonly now: () => number;
}

/**
 * The demo's own sessions (specification/relying-party.md#the-clients-own-session): the browser holds a random identifier in a signed
 * cookie that no script can read; everything else stays on the server. Each login, signing and logout changes the identifier.
 */
export class BrowserSessions<Data> {
  readonly #entries = new Map<string, { readonly data: Data; readonly expiresAt: number }>();

  constructor(private readonly options: BrowserSessionsOptions) {}

  /** The data of this browser; undefined when its cookie is missing, not ours, or too old. */
  find(request: FastifyRequest): Data | undefined {
    const id = this.#idOf(request);
    const entry = id === undefined ? undefined : this.#entries.get(id);
    return entry && entry.expiresAt > this.options.now() ? entry.data : undefined;
  }

  /** Replaces the data and the identifier; the previous identifier becomes invalid. */
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

  /** Changes the data and keeps the identifier. */
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
      if (expiresAt > this.options.now() && this.#entries.size <= MAX_SESSIONS) return;
      this.#entries.delete(id);
    }
  }
}
