import { LoginRoutes, type LoginRoutesOptions, type LoginState, type VisitorSession } from './login-routes.js';
import { storedSession, type WithLogin } from './stored-session.js';

/** The parts of a Fastify request that the routes use. `session` is that of `@fastify/session`. */
export interface FastifyLoginRequest {
  readonly method: string;
  readonly query: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** The parts of a Fastify answer that the routes use. */
export interface FastifyLoginReply {
  redirect(url: string, code: number): unknown;
  code(code: number): { type(type: string): { send(body: string): unknown } };
}

/** The part of Fastify that the routes use. */
export interface FastifyRoutes {
  route(options: {
    method: 'GET' | 'POST';
    url: string;
    exposeHeadRoute?: boolean;
    handler: (request: FastifyLoginRequest, reply: FastifyLoginReply) => Promise<unknown>;
  }): unknown;
}

interface FastifyStore extends WithLogin {
  regenerate(): Promise<void>;
  save(): Promise<void>;
  destroy(): Promise<void>;
}

const sessionOf = (request: object): FastifyStore => storedSession(request, 'register @fastify/session before the login');

class FastifySession implements VisitorSession {
  constructor(private readonly request: object) {}

  get state(): LoginState | undefined {
    return sessionOf(this.request).countersign;
  }

  async keep(state: LoginState): Promise<void> {
    const session = sessionOf(this.request);
    session.countersign = state;
    await session.save();
  }

  async renew(state: LoginState): Promise<void> {
    await sessionOf(this.request).regenerate();
    await this.keep(state); // In the session that has taken its place.
  }

  async end(): Promise<void> {
    await sessionOf(this.request).destroy();
  }
}

/**
 * Login, callback and logout as a plugin for Fastify, and for Nest on Fastify by `app.register`. Register `@fastify/cookie` and
 * `@fastify/session` before it. {@link personOf} tells your own routes who is logged in.
 */
export const countersignLogin = (app: FastifyRoutes, options: LoginRoutesOptions): Promise<void> => {
  const routes = new LoginRoutes(options);
  const { login, callback, logout } = routes.paths;
  const handlerOf = (url: string) => async (request: FastifyLoginRequest, reply: FastifyLoginReply) => {
    const { method, headers } = request;
    const query = request.query as Record<string, unknown>;
    const given = await routes.answer({ method, path: url, query, header: (name) => headers[name] }, () => new FastifySession(request));
    if (given === undefined) throw new TypeError(`no answer of ${request.method} ${url}`);
    return 'redirect' in given ? reply.redirect(given.redirect, 303) : reply.code(given.status).type('text/plain').send(given.text);
  };
  for (const url of [login, callback]) app.route({ method: 'GET', url, exposeHeadRoute: false, handler: handlerOf(url) });
  app.route({ method: 'POST', url: logout, handler: handlerOf(logout) });
  return Promise.resolve();
};

/** Who is logged in, or undefined. */
export const personOf = (request: object): LoginState['person'] => sessionOf(request).countersign?.person;
