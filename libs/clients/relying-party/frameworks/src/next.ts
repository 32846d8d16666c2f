import { LoginRoutes, type LoginRoutesOptions, type LoginState, type VisitorSession } from './login-routes.js';

/** A session whose content lies sealed in the visitor's cookie, as `iron-session` keeps it. Its seal is its identifier, so each `save` gives a new one. */
export interface SealedSession {
  countersign?: LoginState;
  save(): Promise<void>;
  destroy(): void;
}

/** The settings of the routes of a Next app. */
export interface NextLoginOptions extends LoginRoutesOptions {
  /** The session of the request, such as `async () => getIronSession(await cookies(), { cookieName, password })`. */
  readonly session: () => Promise<SealedSession>;
}

class NextSession implements VisitorSession {
  constructor(private readonly session: SealedSession) {}

  get state(): LoginState | undefined {
    return this.session.countersign;
  }

  async keep(state: LoginState): Promise<void> {
    this.session.countersign = state;
    await this.session.save();
  }

  /** Drops all that the visitor had before, and seals anew. A session of iron-session that was destroyed takes no more values. */
  async renew(state: LoginState): Promise<void> {
    for (const [name, value] of Object.entries(this.session)) if (typeof value !== 'function') Reflect.deleteProperty(this.session, name);
    await this.keep(state);
  }

  async end(): Promise<void> {
    this.session.destroy();
    return Promise.resolve();
  }
}

/**
 * Route handlers for the App Router of Next. Export them from the three files `app/login/route.ts`, `app/callback/route.ts` and
 * `app/logout/route.ts`; pages read `session.countersign.person`. Give the settings as a function: it is called at the first request, and
 * `next build`, which loads your routes, needs no secret then.
 */
export const countersignLogin = (settings: NextLoginOptions | (() => NextLoginOptions)) => {
  let known: { readonly routes: LoginRoutes; readonly session: NextLoginOptions['session'] } | undefined;
  const used = () => {
    if (known === undefined) {
      const { session, ...options } = typeof settings === 'function' ? settings() : settings;
      known = { routes: new LoginRoutes(options), session };
    }
    return known;
  };
  const handle = async (request: Request): Promise<Response> => {
    const { routes, session } = used();
    const { method, headers } = request;
    const { pathname, searchParams: query } = new URL(request.url);
    const path = pathname.replace(/(?<=.)\/$/, ''); // An app with `trailingSlash` has one.
    const visitor = new NextSession(await session());
    const given = await routes.answer({ method, path, query, header: (name) => headers.get(name) }, () => visitor);
    if (given === undefined) return new Response('Not found.', { status: 404 });
    if ('redirect' in given) return new Response(null, { status: 303, headers: { location: given.redirect } });
    return new Response(given.text, { status: given.status, headers: { 'content-type': 'text/plain' } });
  };
  return { GET: handle, POST: handle };
};
