import { InvalidSettings, loadSettings } from './load-settings.js';
import { PlatformSettings } from './platform-settings.js';
import { sameSite } from './same-site.js';

/** The shared settings, checked against each other. Throws {@link InvalidSettings}. */
export const loadPlatformSettings = (environment: NodeJS.ProcessEnv): PlatformSettings => {
  const settings = loadSettings(PlatformSettings, environment);
  const problems = [...addressProblems(settings), ...(settings.environment === 'production' ? productionProblems(settings) : [])];
  if (problems.length > 0) throw new InvalidSettings(problems);
  return settings;
};

const addressProblems = ({ baseUrl, loginUrl, port, opsPort }: PlatformSettings): string[] => [
  ...(sameSite(baseUrl, loginUrl) ? [] : ['BASE_URL and LOGIN_URL must be of the same site (scheme and registrable domain), or browsers would not send the login cookie.']),
  ...(opsPort === port ? ['OPS_PORT must differ from PORT; leave it out to have both on one port.'] : []),
];

const productionProblems = ({ baseUrl, loginUrl, appUrl, sandbox, demo }: PlatformSettings): string[] => [
  ...Object.entries({ BASE_URL: baseUrl, LOGIN_URL: loginUrl, APP_URL: appUrl })
    .filter(([, url]) => !url.startsWith('https:'))
    .map(([name]) => `${name} must be an https address in production.`),
  ...(sandbox ? ['SANDBOX must be false in production.'] : []),
  ...(demo ? ['DEMO must be false in production.'] : []),
];
