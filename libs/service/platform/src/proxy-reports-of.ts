import { isGuarded, type PlatformSettings } from '#service/config';
import { ProxyReports } from '#service/http';
import type { Clock } from '#kernel';
import type { Log } from '#telemetry';

/** The reports on the proxies of these settings. A guarded environment is reached by https, so always by a proxy that ends TLS. */
export const proxyReportsOf = (settings: PlatformSettings, clock: Clock, log: Log): ProxyReports => {
  const { trustedProxies, baseUrl, loginUrl, appUrl, portalUrl, environment } = settings;
  return new ProxyReports({ trustedProxies, urls: [baseUrl, loginUrl, appUrl, portalUrl], behindProxies: isGuarded(environment), clock, log });
};
