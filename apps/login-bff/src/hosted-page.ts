import { builtPage, securityHeaders, serveWebPage } from '#web-page';
import type { FastifyInstance } from 'fastify';

export interface HostedPageOptions {
  /** {base_url}: where `/login-ui/v1` answers. */
  readonly baseUrl: string;
  /** {login_url}: its path is where the page is mounted, and it stands in the QR code's returnUrl. */
  readonly loginUrl: string;
  /** {app_scheme}, without "://". */
  readonly appScheme: string;
  /** The web phone, where one is configured. */
  readonly appUrl?: string;
  /** Seconds between two status calls where long polling is not to be had; the specification suggests 2. */
  readonly pollSeconds?: number;
  /** Where the built files lie; left out: `dist/pages/login`. */
  readonly directory?: string;
}

/** Serves the hosted login page under {login_url}. Call it before the server listens. */
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
