import { LoginRoutes, type LoginRoutesOptions, type LoginState, type VisitorSession } from './login-routes.js';
import { storedSession, type WithLogin } from './stored-session.js';

/** The parts of an Express request that the routes use. `session` is that of `express-session`, or of a middleware with the same methods. */
export interface ExpressRequest {
  readonly method: string;
  readonly path: string;
  readonly query: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** The parts of an Express answer that the routes use. */
export interface ExpressResponse {
  redirect(status: number, url: string): void;
  status(code: number): { type(type: string): { send(body: string): unknown } };
}

interface ExpressStore extends WithLogin {
  regenerate(done: (error?: unknown) => void): unknown;
  save(done: (error?: unknown) => void): unknown;
  destroy(done: (error?: unknown) => void): unknown;
}

const sessionOf = (request: object): ExpressStore => storedSession(request, 'use express-session before the login');

const done = (begin: (done: (error?: unknown) => void) => unknown): Promise<void> =>
  new Promise((resolve, reject) => void begin((error) => (error ? reject(error as Error) : resolve())));

class ExpressSession implements VisitorSession {
  constructor(private readonly request: object) {}

  get state(): LoginState | undefined {
    return sessionOf(this.request).countersign;
  }

  async keep(state: LoginState): Promise<void> {
    const session = sessionOf(this.request);
    session.countersign = state;
    await done((saved) => session.save(saved));
  }

  async renew(state: LoginState): Promise<void> {
    const session = sessionOf(this.request);
    await done((renewed) => session.regenerate(renewed));
    await this.keep(state); // In the session that has taken its place.
  }

  async end(): Promise<void> {
    const session = sessionOf(this.request);
    await done((ended) => session.destroy(ended));
  }
}

/**
 * Login, callback and logout as a middleware for Express, and for Nest on Express by `app.use`. Put `express-session` before it.
 * Every other request goes on to your own routes; {@link personOf} tells them who is logged in.
 */
export const countersignLogin = (options: LoginRoutesOptions) => {
  const routes = new LoginRoutes(options);
  const answer = async (request: ExpressRequest, response: ExpressResponse, next: (error?: unknown) => void): Promise<void> => {
    const { method, path, headers } = request;
    const query = request.query as Record<string, unknown>;
    const given = await routes.answer({ method, path, query, header: (name) => headers[name] }, () => new ExpressSession(request));
    if (given === undefined) next();
    else if ('redirect' in given) response.redirect(303, given.redirect);
    else response.status(given.status).type('text/plain').send(given.text);
  };
  return (request: ExpressRequest, response: ExpressResponse, next: (error?: unknown) => void): void => {
    answer(request, response, next).catch(next);
  };
};

/** Who is logged in, or undefined. */
export const personOf = (request: object): LoginState['person'] => sessionOf(request).countersign?.person;
