import type { FastifyReply, FastifyRequest } from 'fastify';

import { cookiesIn, portalCookieName } from '#service/http';
import type { Clock, Sealer, Secret } from '#kernel';

/** A login under way. A cookie of the browser that began it holds it, encrypted. */
export type LoginUnderWay = {
  readonly state: string;
  readonly codeVerifier: string;
  /** The code of an invitation that the login is to use. */
  readonly invitation?: string;
};

/** How long a login may take, in seconds. */
const LOGIN_LIFE = 600;
const CONTEXT = 'portal-login';

/** The two cookies of the portal: the session, and the login under way. */
export class PortalCookies {
  readonly #session: string;
  readonly #login: string;
  readonly #attributes: string;

  constructor(
    portalUrl: string,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {
    this.#session = portalCookieName(portalUrl);
    this.#login = `${this.#session}_login`;
    this.#attributes = 'Path=/; HttpOnly; SameSite=Lax; Secure';
  }

  sessions(request: FastifyRequest): readonly string[] {
    return cookiesIn(request.headers.cookie, this.#session);
  }

  setSession(reply: FastifyReply, cookie: Secret<string>, seconds: number): void {
    this.#set(reply, this.#session, cookie.reveal(), seconds);
  }

  clearSession(reply: FastifyReply): void {
    this.#set(reply, this.#session, '', 0);
  }

  /** The login that this browser began and that the callback with this `state` ends; undefined when there is none, or it is over, altered or made by another key. */
  login(request: FastifyRequest, state: unknown): LoginUnderWay | undefined {
    const logins = cookiesIn(request.headers.cookie, this.#login).flatMap((sealed) => this.#opened(sealed) ?? []);
    return logins.find((login) => login.state === state) ?? logins[0];
  }

  #opened(sealed: string): LoginUnderWay | undefined {
    try {
      const { until, ...login } = this.sealer.open<LoginUnderWay & { readonly until: number }>(sealed, CONTEXT);
      return this.clock.now() < until ? login : undefined;
    } catch {
      return undefined;
    }
  }

  setLogin(reply: FastifyReply, login: LoginUnderWay): void {
    this.#set(reply, this.#login, this.sealer.seal({ ...login, until: this.clock.now() + LOGIN_LIFE * 1000 }, CONTEXT), LOGIN_LIFE);
  }

  clearLogin(reply: FastifyReply): void {
    this.#set(reply, this.#login, '', 0);
  }

  #set(reply: FastifyReply, name: string, value: string, seconds: number): void {
    const before = reply.getHeader('set-cookie') ?? [];
    const cookie = `${name}=${value}; Max-Age=${seconds}; ${this.#attributes}`;
    void reply.removeHeader('set-cookie').header('set-cookie', [...[before].flat().map(String), cookie]);
  }
}
