import { builtPage, securityHeaders, serveWebPage } from '#web-page';
import type { FastifyInstance } from 'fastify';

export interface PhonePageOptions {
  /** {base_url}: where `/app/v1` answers. */
  readonly baseUrl: string;
  /** The web phone's public address; its path is where the page is mounted. In production an origin of its own. */
  readonly appUrl: string;
  /** {app_scheme}, without "://". */
  readonly appScheme: string;
  /** Where the built files lie; left out: `dist/pages/phone`. */
  readonly directory?: string;
}

/** Serves the web phone under {APP_URL}. Call it before the server listens. */
export const registerPhonePage = (fastify: FastifyInstance, options: PhonePageOptions): Promise<void> =>
  serveWebPage(fastify, {
    url: options.appUrl,
    directory: options.directory ?? builtPage('phone'),
    headers: securityHeaders({ baseUrl: options.baseUrl, camera: true }),
    config: { baseUrl: options.baseUrl, appUrl: options.appUrl, appScheme: options.appScheme },
  });
