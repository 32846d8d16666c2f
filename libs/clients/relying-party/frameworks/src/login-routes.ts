import { CallbackRefused, InvalidGrant } from '../../src/errors.js';
import type { CallbackQuery } from '../../src/callback.js';
import { loginPageUrl } from '../../src/links.js';
import type { RelyingPartyClient } from '../../src/relying-party-client.js';
import type { LoginRequest, LoginResult, PendingLogin } from '../../src/session.js';

/** The settings of the routes, the same for every framework. */
export interface LoginRoutesOptions {
  readonly client: RelyingPartyClient;
  /** The address of the hosted page: the operator of the service names it. */
  readonly loginUrl: string;
  /** The origin of your own site as browsers see it, such as `https://shop.example`. The redirect URI is this and `paths.callback`: register it, character by character. */
  readonly origin: string;
  /** Default `/login`, `/callback` and `/logout`. */
  readonly paths?: Partial<LoginPaths> | undefined;
  /** What each login asks for besides: a title, properties, a `subjectId`. */
  readonly request?: Omit<LoginRequest, 'redirectUri' | 'hostedPage' | 'idempotencyKey'> | undefined;
  /** A path of your site for a browser that has logged in without a `returnTo`. Default `/`. */
  readonly afterLogin?: string | undefined;
  /** A path of your site. Default `/`. */
  readonly afterLogout?: string | undefined;
  /** The address that shows a failure. Default: an answer of 400 with one English sentence. */
  readonly failed?: ((failure: LoginFailure) => string) | undefined;
}

export interface LoginPaths {
  /** GET begins a login. `?returnTo=/path` names the page of your site that follows it. */
  readonly login: string;
  /** GET ends it. */
  readonly callback: string;
  /** POST ends the session. A GET would let every page of the web log your users out by a picture. */
  readonly logout: string;
}

/**
 * Why a login did not end in this browser: it began none, the callback belongs to another login, or the code is no longer valid.
 * Everything else is thrown: it is a fault of the settings or of the service.
 */
export type LoginFailure = 'NOT_BEGUN' | 'NOT_YOURS' | 'TOO_LATE';

/** The one value of the visitor's session that the routes use. */
export interface LoginState {
  readonly pending?: (Pick<PendingLogin, 'state' | 'codeVerifier'> & { readonly returnTo: string }) | undefined;
  /** Who is logged in. */
  readonly person?: LoginResult | undefined;
}

/** The visitor's session on your server, as a framework keeps it. */
export interface VisitorSession {
  readonly state: LoginState | undefined;
  keep(state: LoginState): Promise<void>;
  /** Gives the session a new identifier, so that one who planted the old identifier is not logged in too, and keeps the state in it. */
  renew(state: LoginState): Promise<void>;
  end(): Promise<void>;
}

/** What the routes read of a request. */
export interface RouteRequest {
  readonly method: string;
  readonly path: string;
  readonly query: CallbackQuery;
  /** The value of a header, by its name in lower case. */
  readonly header: (name: string) => unknown;
}

/** Where the browser goes, or why it does not. */
export type RouteAnswer = { readonly redirect: string } | { readonly status: 400 | 405; readonly text: string };

const FAILURES: Record<LoginFailure, string> = {
  NOT_BEGUN: 'No login was begun in this browser.',
  NOT_YOURS: 'This answer does not belong to the login that was begun in this browser.',
  TOO_LATE: 'The login took too long. Begin again.',
};

/**
 * A page loads a link in advance, as the `Link` of Next does: such a request would put a login in the place of the one that the person has begun. Browsers say so: a person
 * who opens an address navigates (https://www.w3.org/TR/fetch-metadata/). `fetch` of Node names a mode too, but no site, so a test may begin a login by it.
 */
const isLoadedInAdvance = ({ header }: RouteRequest): boolean => {
  const [mode, site, purpose] = [header('sec-fetch-mode'), header('sec-fetch-site'), header('sec-purpose')];
  return (typeof site === 'string' && mode !== 'navigate') || (typeof purpose === 'string' && purpose.startsWith('prefetch'));
};

/** Login, callback and logout on the hosted page, for any framework. */
export class LoginRoutes {
  readonly paths: LoginPaths;
  readonly #options: LoginRoutesOptions;
  readonly #origin: string;

  /** Throws a `TypeError` when `origin` is more or less than an origin: the redirect URI made of it would match none. */
  constructor(options: LoginRoutesOptions) {
    const origin = URL.canParse(options.origin) ? new URL(options.origin).origin : undefined;
    if (origin !== options.origin) throw new TypeError(`origin must be an origin without a path, such as ${origin ?? 'https://shop.example'}`);
    this.#options = options;
    this.#origin = origin;
    this.paths = { login: '/login', callback: '/callback', logout: '/logout', ...options.paths };
  }

  /** The answer of the route, or undefined when the request is none of the three. A HEAD is no GET: a preview of a link begins no login. */
  async answer(request: RouteRequest, session: () => VisitorSession): Promise<RouteAnswer | undefined> {
    const { method, path, query } = request;
    switch (path) {
      case this.paths.login:
        if (method !== 'GET') return undefined;
        return isLoadedInAdvance(request) ? { status: 400, text: 'Open this address to log in.' } : this.#begin(session(), query);
      case this.paths.callback:
        return method === 'GET' ? this.#finish(session(), query) : undefined;
      case this.paths.logout:
        if (method !== 'POST') return { status: 405, text: 'Send a POST to log out.' };
        await session().end();
        return { redirect: this.#options.afterLogout ?? '/' };
      default:
        return undefined;
    }
  }

  async #begin(session: VisitorSession, query: CallbackQuery): Promise<RouteAnswer> {
    const { client, loginUrl, request } = this.#options;
    const login = await client.beginLogin({ ...request, redirectUri: `${this.#origin}${this.paths.callback}`, hostedPage: true });
    const { state, codeVerifier, handoffToken } = login;
    await session.keep({ ...session.state, pending: { state, codeVerifier, returnTo: this.#pageOfThisSite(query) } });
    return { redirect: loginPageUrl(loginUrl, handoffToken) };
  }

  async #finish(session: VisitorSession, query: CallbackQuery): Promise<RouteAnswer> {
    const pending = session.state?.pending;
    if (pending === undefined) return this.#failed('NOT_BEGUN');
    try {
      const person = await this.#options.client.finishLogin(pending, query);
      await session.renew({ person });
      return { redirect: pending.returnTo };
    } catch (error) {
      if (error instanceof CallbackRefused) return this.#failed('NOT_YOURS');
      if (error instanceof InvalidGrant) return this.#failed('TOO_LATE');
      throw error;
    }
  }

  #failed(failure: LoginFailure): RouteAnswer {
    const { failed } = this.#options;
    return failed ? { redirect: failed(failure) } : { status: 400, text: FAILURES[failure] };
  }

  /** The `returnTo` of the query when it is a path of this site, so that a link to the login sends nobody elsewhere. */
  #pageOfThisSite(query: CallbackQuery): string {
    const asked: unknown = query instanceof URLSearchParams ? query.get('returnTo') : query['returnTo'];
    const fallback = this.#options.afterLogin ?? '/';
    if (typeof asked !== 'string' || !asked.startsWith('/') || !URL.canParse(asked, this.#origin)) return fallback;
    const url = new URL(asked, this.#origin);
    return url.origin === this.#origin ? `${url.pathname}${url.search}${url.hash}` : fallback;
  }
}
