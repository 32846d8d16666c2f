import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ListeningDemoOptions } from './start-demo.js';

/** The demo cannot start with these settings. The message says what to do and never contains a setting's value. */
export class InvalidSettings extends Error {}

/** The demo's settings from the environment; its credentials also from the `demo.json` of a service on this machine. */
export const readSettings = (environment: NodeJS.ProcessEnv = process.env): ListeningDemoOptions => {
  const text = (name: string, fallback: string): string => environment[name]?.trim() || fallback;
  const port = Number(text('DEMO_PORT', '3001'));
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new InvalidSettings('DEMO_PORT must be a port.');
  const baseUrl = text('BASE_URL', 'http://localhost:3000');
  const origin = text('DEMO_ORIGIN', `http://localhost:${port}`);
  const cookieSecret = environment['COOKIE_SECRET']?.trim();
  if (text('ENVIRONMENT', 'development') === 'production') checkProduction(origin, cookieSecret);
  return {
    host: text('HOST', '127.0.0.1'),
    port,
    origin,
    service: {
      baseUrl,
      loginUrl: text('LOGIN_URL', `${baseUrl}/login`),
      appScheme: text('APP_SCHEME', 'countersign'),
      appUrl: text('APP_URL', `${baseUrl}/phone`),
    },
    ...(cookieSecret ? { cookieSecret } : {}),
    webhookSecrets: webhookSecrets(environment['WEBHOOK_SECRET'], text('DATA_DIR', './data')),
    ...credentials(environment, text('DATA_DIR', './data')),
  };
};

/** The secrets of the setting, separated by blanks; without it, those that a service on this machine keeps for its demo; or none. */
const webhookSecrets = (given: string | undefined, dataDirectory: string): readonly string[] => {
  if (given?.trim()) return given.trim().split(/\s+/);
  try {
    return [(JSON.parse(readFileSync(join(dataDirectory, 'demo-webhook.json'), 'utf8')) as { secret: string }).secret];
  } catch {
    return [];
  }
};

const checkProduction = (origin: string, cookieSecret: string | undefined): void => {
  if (!origin.startsWith('https:')) throw new InvalidSettings('DEMO_ORIGIN must be an https address in production: the session cookie is Secure.');
  if (!cookieSecret) throw new InvalidSettings('COOKIE_SECRET must be set in production.');
};

const credentials = (environment: NodeJS.ProcessEnv, dataDirectory: string): { clientId: string; clientSecret: string } => {
  const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = environment;
  if (clientId && clientSecret) return { clientId, clientSecret };
  const path = join(dataDirectory, 'demo.json');
  try {
    const kept = JSON.parse(readFileSync(path, 'utf8')) as { clientId: string; clientSecret: string };
    return { clientId: kept.clientId, clientSecret: kept.clientSecret };
  } catch {
    throw new InvalidSettings(`Set CLIENT_ID and CLIENT_SECRET, or DATA_DIR to where the service keeps its demo.json (looked at ${path}).`);
  }
};
