import { builtPage, securityHeaders, serveWebPage } from '#web-page';
import type { FastifyInstance } from 'fastify';

export interface PhonePageOptions {
  /** {base_url}: `/app/v1` answers below it. */
  readonly baseUrl: string;
  /** The web phone's public address; the page is mounted at its path. In production an origin of its own. */
  readonly appUrl: string;
  /** {app_scheme}, without "://". */
  readonly appScheme: string;
  /** The directory of the built files; default: `dist/pages/phone`. */
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
