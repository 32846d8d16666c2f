import { isGuarded } from '#service/config';

import { clientLines } from './program/client-lines.js';
import type { DeveloperClient } from './program/developer-client.js';
import type { Standalone } from './start.js';

interface Printed {
  /** Makes a person the first administrator of the portal. */
  readonly portalLink?: string | undefined;
  /** The client that the arguments asked for. */
  readonly own?: DeveloperClient | undefined;
}

/** The addresses and, unless the environment is guarded, the credentials that a user at the terminal needs. It is not logged, since it shows credentials. */
export const banner = ({ platform, demo, phoneLink }: Standalone, { portalLink, own }: Printed = {}): string => {
  const { settings, adminToken } = platform;
  const lines = [
    ...(demo ? [['Demo', new URL(demo.redirectUri).origin]] : []),
    ...(phoneLink ? [['A phone for the demo', phoneLink]] : []),
    ['Service', settings.baseUrl],
    ['Login page', settings.loginUrl],
    ['OpenID issuer', `${settings.baseUrl}/openid`],
    ['Portal', settings.portalUrl],
    ...(portalLink !== undefined ? [['Its first administrator', portalLink]] : []),
    ...(isGuarded(settings.environment) ? [] : [['API documentation', `${settings.baseUrl}/docs`]]),
    ['Health', `${settings.baseUrl}/readyz`],
    ['Data', settings.dataDirectory],
  ];
  if (!isGuarded(settings.environment)) {
    lines.push(['Admin token', adminToken.reveal()]);
    if (demo) lines.push(['Demo client_id', demo.clientId], ['Demo client_secret', demo.clientSecret], ['Demo redirect_uri', demo.redirectUri]);
  }
  if (own) lines.push(...clientLines(own).map(([name, value]) => [`Your ${name}`, value]));
  const width = Math.max(...lines.map(([name = '']) => name.length));
  return `\nCountersign is running (environment: ${settings.environment}).\n\n${lines.map(([name = '', value]) => `  ${name.padEnd(width)}  ${value}`).join('\n')}\n\n`;
};
