import { builtPage, securityHeaders, serveWebPage } from '#web-page';
import type { FastifyInstance } from 'fastify';

export interface HostedPageOptions {
  /** {base_url}: `/login-ui/v1` answers below it. */
  readonly baseUrl: string;
  /** {login_url}: the page is served under its path, and the QR code holds it as returnUrl. */
  readonly loginUrl: string;
  /** {app_scheme}, without "://". */
  readonly appScheme: string;
  /** The web phone, if one is configured. */
  readonly appUrl?: string;
  /** Seconds between two status calls when long polling is not available; default 2 (specification/login-ui.md#get-status). */
  readonly pollSeconds?: number;
  /** The directory of the built files; default: `dist/pages/login`. */
  readonly directory?: string;
}

/** Serves the hosted login page under {login_url}. Must be called before the server listens. */
export const registerHostedPage = (fastify: FastifyInstance, options: HostedPageOptions): Promise<void> =>
  serveWebPage(fastify, {
    url: options.loginUrl,
    directory: options.directory ?? builtPage('login'),
    headers: securityHeaders({ baseUrl: options.baseUrl }),
    config: {
      baseUrl: options.baseUrl,
      loginUrl: options.loginUrl,
      appScheme: options.appScheme,
      appUrl: options.appUrl,
      pollSeconds: options.pollSeconds ?? 2,
    },
  });
